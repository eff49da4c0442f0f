import { EventEmitter } from 'node:events';
import { McpService } from '../../../decorators/service.js';
import { Tool } from '../../../decorators/tool.js';
import { PlainContainer } from '../../../providers/plain.js';
import { TsyringeContainer } from '../../../providers/tsyringe.js';
import type { Class } from '../../../src/core/class.js';

@McpService()
class Dep {}

class Base {
  constructor(readonly dep: Dep) {}

  @Tool()
  hi(): string {
    return this.dep.constructor.name;
  }
}

class Between extends Base {}

@McpService()
class Child extends Base {}

@McpService()
class GrandChild extends Between {}

@McpService()
class Holder {
  constructor(readonly child: Child) {}
}

@McpService()
class Mended extends Base {
  constructor(readonly own: Dep) {
    super(own);
  }
}

@McpService()
class Own extends Base {
  constructor() {
    super(new Dep());
  }
}

@McpService()
class Emitter extends EventEmitter {}

class Quiet {
  readonly name = 'quiet';
}

@McpService()
class Plain extends Quiet {}

const found = (cls: Class): readonly string[] => new TsyringeContainer().check([cls]);

describe('a base class with a constructor that nobody decorated', () => {
  const finding = (name: string): string =>
    `${name}: inherits the constructor of Base, whose parameters have no types, so it would be built with undefined ` +
    'dependencies. Add @McpService() and a constructor that calls super. [CT406]';

  test('is found below a service, two levels up, and in a class that is injected', () => {
    expect(found(Child)).toEqual([finding('Child')]);
    expect(found(GrandChild)).toEqual([finding('GrandChild')]);
    expect(found(Holder)).toEqual([finding('Child')]);
  });

  test('is found by a container that only calls new, unless it has a factory', () => {
    const said = (name: string): unknown =>
      expect.stringMatching(new RegExp(`^${name}: its constructor takes parameters\\.`));
    expect(new PlainContainer().check([Child, GrandChild])).toEqual([said('Child'), said('GrandChild')]);
    expect(new PlainContainer([[Child, () => new Child(new Dep())]]).check([Child])).toEqual([]);
  });

  test('does no harm where a constructor stands, or takes nothing that has to be filled', () => {
    for (const cls of [Mended, Own, Emitter, Plain]) expect(found(cls)).toEqual([]);
    expect(new PlainContainer().check([Own, Emitter, Plain])).toEqual([]);
  });
});
