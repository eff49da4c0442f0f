import { McpLayer, retry } from 'cartouche';

class Inventory {}

describe('a class that a circular import left undefined', () => {
  test('is named for what it is among the services', () => {
    const make = (): McpLayer =>
      new McpLayer({ name: 'x', version: '1', services: [Inventory, undefined as unknown as typeof Inventory] });
    expect(make).toThrow(/services holds undefined at 1: .* when two files import each other\. Break the circle/);
  });

  test('is named for what it is among the causes of retry', () => {
    expect(() => retry({ on: [undefined as never] })).toThrow(/holds undefined at 0: .* import each other/);
  });
});
