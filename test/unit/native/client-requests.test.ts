import { CancelledError, NotFoundError, TimeoutError } from '../../../src/core/errors.js';
import { ClientRequestError, ClientRequests } from '../../../src/native/client-requests.js';
import type { Carrier } from '../../../src/native/request.js';

const carrierTo = (sent: any[]): Carrier => ({ notify: (message: unknown) => void sent.push(message) });

describe('what a client is asked', () => {
  test('is told apart by ids, and answered in any order', async () => {
    const sent: any[] = [];
    const requests = new ClientRequests();
    const [a, b] = [
      requests.ask('roots/list', undefined, carrierTo(sent), {}),
      requests.ask('ping', { x: 1 }, carrierTo(sent), {}),
    ];
    expect(sent).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'roots/list' },
      { jsonrpc: '2.0', id: 2, method: 'ping', params: { x: 1 } },
    ]);
    expect(requests.size).toBe(2);
    requests.settle({ jsonrpc: '2.0', id: 9, result: {} });
    requests.settle({ jsonrpc: '2.0', id: null, error: { code: 1, message: 'x' } } as never);
    requests.settle({ jsonrpc: '2.0', id: 2, result: { b: 1 } });
    requests.settle({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no', data: { why: 1 } } });
    expect(await b).toEqual({ b: 1 });
    await expect(a).rejects.toMatchObject({ name: 'ClientRequestError', code: -1, message: 'no', data: { why: 1 } });
    await expect(a).rejects.toBeInstanceOf(ClientRequestError);
    expect(requests.size).toBe(0);
  });

  test.each<[what: string, thrown: unknown, error: new (...args: never[]) => Error]>([
    ['an error of ours', new NotFoundError('gone'), NotFoundError],
    ['any other', new Error('EPIPE'), CancelledError],
  ])('where it cannot be sent, fails at once, and waits for nothing: %s', async (_what, thrown, error) => {
    const requests = new ClientRequests();
    const broken = { notify: () => { throw thrown; } } as unknown as Carrier; // prettier-ignore
    await expect(requests.ask('ping', undefined, broken, { timeoutMs: 60_000 })).rejects.toBeInstanceOf(error);
    expect(requests.size).toBe(0);
  });

  test('takes too long, and the client is told which', async () => {
    const sent: any[] = [];
    const requests = new ClientRequests();
    const asked = requests.ask('ping', undefined, carrierTo(sent), { timeoutMs: 5 });
    await expect(asked).rejects.toThrow(new TimeoutError('The client did not answer ping within 5 ms.'));
    expect(sent[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'The time is up.' } }); // prettier-ignore
    requests.settle({ jsonrpc: '2.0', id: 1, result: {} });
    expect(requests.size).toBe(0);
  });

  test('is withdrawn by a signal, before it is sent or after, and by the end of the session', async () => {
    const sent: any[] = [];
    const requests = new ClientRequests();
    await expect(requests.ask('ping', undefined, carrierTo(sent), { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(CancelledError); // prettier-ignore
    expect(sent).toEqual([]);
    const aborter = new AbortController();
    const withdrawn = requests.ask('ping', undefined, carrierTo(sent), { signal: aborter.signal });
    aborter.abort(new NotFoundError('no more'));
    await expect(withdrawn).rejects.toThrow('no more');
    expect(sent[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 1 } });
    const waiting = requests.ask('ping', undefined, carrierTo(sent), {});
    requests.close();
    await expect(waiting).rejects.toThrow('The session ended before the client answered.');
    expect(requests.size).toBe(0);
  });
});
