import {
  type Decision,
  McpLayer,
  type Pipeline,
  type Place,
  type Policy,
  type PolicyEvent,
  type PolicyHost,
  type Primitive,
  Principal,
  RateLimitedError,
  Registry,
} from 'cartouche';

/** Names stay in the house: models see pseudonyms, handlers see people. Only `hr` may remove anyone. */
class HousePolicy implements Policy {
  readonly name = 'house';
  readonly #aliases = new Map<string, string>();
  readonly #calls = new Map<string, number>();
  #host: PolicyHost | undefined;

  attach(host: PolicyHost): void {
    this.#host = host;
  }

  /** Stands for a vault that several servers share. */
  async start(): Promise<void> {
    for (const [index, name] of ['Ada', 'Grace'].entries()) this.#aliases.set(name, `PERSON_${index + 1}`);
    return Promise.resolve();
  }

  scopeOf({ roles }: Principal): string {
    return [...roles].sort().join();
  }

  decide({ capabilities }: Primitive, { roles }: Principal): Decision {
    if (!capabilities.has('write_state') || roles.has('hr')) return { allowed: true };
    return { allowed: false, hidden: true, reason: "capability 'write_state' needs the role 'hr'" };
  }

  async admit(_primitive: Primitive, { id }: Principal): Promise<void> {
    const calls = (this.#calls.get(id) ?? 0) + 1;
    this.#calls.set(id, calls);
    if (calls > 3) throw new RateLimitedError('Three calls are enough.', { retry_after: 60 });
    return Promise.resolve();
  }

  record({ kind, name, outcome, principal, reason }: PolicyEvent): void {
    console.log('recorded:', principal.id, kind, name, outcome, reason ?? '');
  }

  pipeline(): Pipeline {
    let replaced = 0;
    const swap = (value: unknown, pairs: Iterable<readonly [string, string]>): unknown => {
      let text = JSON.stringify(value);
      for (const [from, to] of pairs) {
        replaced += text.split(from).length - 1;
        text = text.replaceAll(from, to);
      }
      return JSON.parse(text) as unknown;
    };
    return {
      input: (value) =>
        Promise.resolve(
          swap(
            value,
            [...this.#aliases].map(([name, alias]) => [alias, name] as const),
          ),
        ),
      output: (value, { part }: Place) => {
        // A message to the client cannot wait; this one leaves nothing to wait for either.
        if (part === 'log' || part === 'progress') return undefined;
        return Promise.resolve(swap(value, this.#aliases));
      },
      report: () => ({ replaced }),
    };
  }

  close(): void {
    this.#host?.logger.debug('the house is closed');
  }
}

const registry = new Registry();
const input = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
registry.tool({ name: 'colleagues', capabilities: ['read_state'] }, () => ({ names: ['Ada', 'Grace'] }));
registry.tool(
  { name: 'office', input, capabilities: ['read_state'] },
  ({ name }) => `${String(name)} sits in ${name === 'Ada' ? 12 : 14}`,
);
registry.tool({ name: 'remove', input, capabilities: ['write_state'] }, () => 'removed');

const layer = new McpLayer({ name: 'people', version: '1.0.0', registry, policy: new HousePolicy() });
await layer.start();
const agent = new Principal({ id: 'agent' });
const call = { principal: agent };
console.log(layer.listTools(agent).map(({ name }) => name));
const { structuredContent, meta } = await layer.callTool('colleagues', {}, call);
console.log(structuredContent, meta?.['cartouche/transforms']);
console.log((await layer.callTool('office', { name: 'PERSON_1' }, call)).structuredContent);
await layer.callTool('remove', { name: 'PERSON_1' }, call).catch((error: unknown) => console.log(String(error)));
await layer.callTool('office', { name: 'PERSON_2' }, call);
await layer.callTool('office', { name: 'PERSON_2' }, call);
await layer.close();
