// node bench/best.mjs stateless limit,floor,cartouche [windows]
// For machines that others use too: many short windows in turn, and the best one of each contender. A window that nothing
// disturbed is the same on a busy machine as on a quiet one, so ratios of best windows are what to compare there.
import { startServer, median } from './lib/proc.mjs';
import { pool } from './lib/http.mjs';

const [, , mode = 'stateless', names = 'limit,floor,cartouche', windows = '30'] = process.argv;
const [WARM_REQUESTS, WINDOW_MS, CONNECTIONS] = [3000, 120, 16];

const contenders = [];
for (const name of names.split(',')) {
  const server = await startServer(name, { transport: 'http', mode, tools: 20, startTimeout: 120_000 });
  const load = await pool(server.port, CONNECTIONS, { modern: mode === 'modern', session: mode.startsWith('session') });
  for (let done = 0, until = Date.now() + 10_000; done < WARM_REQUESTS && Date.now() < until;)
    done += (await load.run(200)).n;
  contenders.push({ name, server, load, rps: [], cpu: [] });
}
for (let window = 0; window < Number(windows); window++) {
  for (const { server, load, rps, cpu } of contenders) {
    const before = await server.ask('usage');
    const { n, wall } = await load.run(WINDOW_MS);
    const after = await server.ask('usage');
    if (n === 0) continue;
    rps.push((n / wall) * 1000);
    cpu.push((after.cpuUs - before.cpuUs) / n);
  }
}
const best = ({ rps }) => Math.max(...rps);
const least = ({ cpu }) => Math.min(...cpu);
const [base] = contenders;
console.log(
  `| ${mode} | best req/s | x ${base.name} | median req/s | least cpu us | x ${base.name} |\n|---|--:|--:|--:|--:|--:|`,
);
for (const one of contenders) {
  const cells = [
    best(one).toFixed(0),
    (best(one) / best(base)).toFixed(2),
    median(one.rps).toFixed(0),
    least(one).toFixed(0),
    (least(base) / least(one)).toFixed(2),
  ];
  console.log(`| ${one.name} | ${cells.join(' | ')} |`);
}
process.exit(0);
