import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the fixture server in a process of its own, on a free port. */
export async function startFixtureServer() {
  const child = spawn(process.execPath, ['--import', './test/support/ts-hook.mjs', 'test/conformance/server.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORT: '0' },
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  child.stdout.setEncoding('utf8');
  const url = await new Promise((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(text.trim().split('\n')[0]));
    child.once('exit', (code) => reject(new Error(`the fixture server ended with ${code}:\n${errors}`)));
  });
  return {
    url,
    /** What the server wrote as an error; warnings are its own business. */
    complaints: () =>
      errors
        .split('\n')
        .filter((line) => /error|Error|    at /.test(line))
        .join('\n'),
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
