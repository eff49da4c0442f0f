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

test('a path with a slash is no name', () => {
  const paths = ['./ü=a.tfstate', '/tmp/ü=a.tfstate', 'C:\\ü=a.tfstate', 'ü.tfstate'];
  const { estate } = readCommand(paths.map((path) => `--state=${path}`));
  expect(estate.states).toEqual(paths.map((path) => ({ path })));
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
  [['--state', 'ü=a.tfstate'], /^--state ü=a\.tfstate: the name must be up to 64 .* write \.\/ü=a\.tfstate$/],
  [['--state', '=a.tfstate'], /^--state =a\.tfstate: the name must/],
  [['--state', `${'x'.repeat(65)}=a.tfstate`], /: the name must be up to 64/],
  [['--state', 'prod='], /^--state prod=: names no file\.$/],
  [['--state', ''], /names no file/],
  [['--roots', ''], /^--roots names no directory\.$/],
  [['--state', '--stdio'], /^Option '--state' argument is ambiguous\.$/],
])('%j is refused', (args, message) => {
  expect(() => readCommand(args)).toThrow(message);
});
