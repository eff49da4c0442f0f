import { RawClient } from '../support/raw-client.js';

const clients: RawClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.kill();
});

async function start(options: object): Promise<RawClient> {
  const client = new RawClient(options, 'noisy-fixture.ts');
  clients.push(client);
  await client.initialize();
  return client;
}

test("what is printed behind import 'cartouche/stdio' goes to standard error", async () => {
  const client = await start({ guard: true });
  expect(client.messages.map(({ id }) => id)).toEqual([1]);
  expect(client.stderr).toContain('banner');
  expect(client.stderr).not.toContain('were written to standard output before');
});

test('serving warns of what was printed before it began, once', async () => {
  const client = await start({});
  expect(client.messages[0]).toBe('banner');
  expect(client.stderr.split('9 bytes were written to standard output before')).toHaveLength(2);
  expect(client.stderr).toContain("Make import 'cartouche/stdio' the first line of the program");
});

test('a tool that ends standard output ends nothing', async () => {
  const client = await start({ guard: true });
  const answers = [
    await client.request('tools/call', { name: 'ends' }),
    await client.request('tools/call', { name: 'ends' }),
  ];
  expect(answers.map(({ result }) => result.content[0].text)).toEqual(['still here', 'still here']);
  expect(client.stderr).toContain('bye');
  client.closeInput();
  expect(await client.exit()).toBe(0);
});
