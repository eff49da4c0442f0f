import { readCommand } from '../src/command-line.js';

test('without options the sample shows itself', () => {
  expect(readCommand([])).toEqual({
    mode: 'show',
    host: '127.0.0.1',
    port: undefined,
    estate: { states: undefined, roots: undefined },
  });
});

test('states may be named, and options repeated', () => {
  const args = ['--stdio', '--state', 'prod=./a b.tfstate', '--state=/tmp/x=y/b.tfstate', '--roots', 'a', '--roots=b'];
  expect(readCommand(args)).toMatchObject({
    mode: 'stdio',
    estate: { states: [{ name: 'prod', path: './a b.tfstate' }, { path: '/tmp/x=y/b.tfstate' }], roots: ['a', 'b'] },
  });
});

test('HTTP takes a host and a port', () => {
  expect(readCommand(['--http', '--host', '::1', '--port', '0'])).toMatchObject({ mode: 'http', host: '::1', port: 0 });
});

test.each([
  [['--sdtio'], /--sdtio/],
  [['state.tfstate'], /state\.tfstate/],
  [['--port', '65536'], /--port must be/],
  [['--port', 'x'], /--port must be/],
  [['--stdio', '--http'], /exclude each other/],
  [['--state'], /--state/],
  [['--state', '--stdio'], /^Option '--state' argument is ambiguous\.$/],
])('%j is refused', (args, message) => {
  expect(() => readCommand(args)).toThrow(message);
});
