import type { Registry } from 'cartouche';

/** Tools that leave mistakes behind for nobody to catch. */
export function addStrays(registry: Registry): void {
  registry.tool({ name: 'stray_now' }, () => {
    void Promise.reject(new Error('left behind'));
    return 'ok';
  });
  registry.tool({ name: 'stray_later' }, () => {
    setTimeout(() => void Promise.reject(new Error('left behind later')), 5);
    return 'ok';
  });
  registry.tool({ name: 'throw_later' }, () => {
    setTimeout(() => {
      throw new Error('thrown in a timer');
    }, 20);
    return 'ok';
  });
  registry.tool({ name: 'takes_a_while' }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return 'finished';
  });
}
