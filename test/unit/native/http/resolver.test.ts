import { type HttpOptions, Principal } from 'cartouche';
import { FRONTS, handshake, modern } from '../../../support/http-target.js';
import { layerOf } from '../../../support/layers.js';

describe.each(FRONTS)('the resolver, through the %s handler', (_front, makeTarget) => {
  it('is asked once for every request', async () => {
    let calls = 0;
    const principalResolver: HttpOptions['principalResolver'] = () => {
      calls++;
      return new Principal({ id: 'ana' });
    };
    const callsOf = async (work: () => Promise<unknown>): Promise<number> => {
      calls = 0;
      await work();
      return calls;
    };
    const layer = layerOf((registry) => registry.tool({ name: 'drop' }, () => 'dropped'));
    const target = await makeTarget(layer, { principalResolver });
    const { headers } = await handshake(target);
    const request = (method: string, params: object = {}) =>
      callsOf(() => target.send({ headers, body: { jsonrpc: '2.0', id: 1, method, params } }));
    expect(await request('tools/call', { name: 'drop' })).toBe(1);
    expect(await request('tools/list')).toBe(1);
    expect(await request('logging/setLevel', { level: 'error' })).toBe(1);
    expect(await callsOf(() => target.send(modern('tools/call', { name: 'drop' })))).toBe(1);
    expect(await callsOf(() => target.send({ method: 'DELETE', headers }))).toBe(1);
    await target.close();
  });
});
