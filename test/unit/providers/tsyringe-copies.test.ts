import { McpService } from '../../../decorators/service.js';
import { TsyringeContainer } from '../../../providers/tsyringe.js';
import { ConfigurationError, McpLayer, Tool } from 'cartouche';
import { container as ours } from 'tsyringe';
import { container as theirs, delay, inject, injectable } from 'tsyringe-4.8';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
let made = 0;

class Clock {
  readonly hour = 12;
  constructor() {
    made++;
  }
}

@McpService()
class Unknown {
  constructor(readonly clock: Clock) {}
  @Tool({ capabilities: [] })
  hour(): string {
    return String(this.clock.hour);
  }
}

@injectable()
class Known {
  constructor(
    @inject('zone') readonly zone: string,
    @inject(delay(() => Clock)) readonly clock: Clock,
  ) {
    made++;
  }
}

@McpService()
@injectable()
class AlsoKnown {
  constructor(readonly known: Known) {}
  @Tool({ capabilities: [] })
  where(): string {
    return `${this.known.zone} ${this.known.clock.hour}`;
  }
}

const build = (parent: typeof theirs | typeof ours, ...services: (new (...args: never[]) => object)[]): McpLayer =>
  new McpLayer({
    name: 'copies',
    version: '1.0.0',
    services,
    container: new TsyringeContainer({ parent, provide: [{ token: 'zone', useValue: 'UTC' }] }),
    logger: quiet,
  });

const answer = async (layer: McpLayer, name: string): Promise<unknown> =>
  (await layer.callTool(name, {})).toWire().content;

describe("a parent container of the user's own tsyringe", () => {
  beforeEach(() => void (made = 0));

  test('of our copy, it constructs what only we have declared', async () => {
    expect(await answer(build(ours.createChildContainer(), Unknown), 'hour')).toEqual([{ type: 'text', text: '12' }]);
  });

  test('of another copy, it constructs the classes that its own injectable() declared', async () => {
    const layer = build(theirs.createChildContainer(), AlsoKnown);
    expect(made).toBe(0);
    expect(await answer(layer, 'where')).toEqual([{ type: 'text', text: 'UTC 12' }]);
  });

  test('of another copy, what it does not know is refused when the layer is built, by name and with the fix', () => {
    const parent = theirs.createChildContainer();
    expect(() => build(parent, Unknown, AlsoKnown)).toThrow(ConfigurationError);
    expect(() => build(parent, Unknown, AlsoKnown)).toThrow(
      'TsyringeContainer: parent belongs to another copy of tsyringe, which does not know how to construct Unknown. ' +
        'Keep one copy (npm ls tsyringe), or add @injectable() of that copy to each. [CT409]',
    );
    expect(made).toBe(0);
  });

  test('of another copy, what it has registered itself is left to it', async () => {
    const parent = theirs.createChildContainer();
    parent.register(Unknown, { useFactory: () => new Unknown(new Clock()) });
    expect(await answer(build(parent, Unknown), 'hour')).toEqual([{ type: 'text', text: '12' }]);
  });
});
