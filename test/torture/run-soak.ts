/**
 * Runs 5,000 runs, 200 streams at once and misbehaving pages (`npm run soak`), and prints the
 * figures with their goals.
 */
import { soak } from './soak.ts';

const ROUNDS = 4;

const figures = await soak({
  rounds: ROUNDS,
  runs: 5000 / ROUNDS,
  warmUpRuns: 1000,
  streams: { count: 200, perSecond: 100, events: 1500 },
  pages: 10,
  reconnects: { pages: 100, times: 5 },
  restMs: 5000,
  log: (line) => console.log(line),
});
console.log(JSON.stringify(figures, null, 2));

const goals: [what: string, value: number, most: number, unit: string][] = [
  ['heap after the runs, growth', figures.heapGrowth * 100, 5, '%'],
  ['heap after 200 streams, growth', figures.streamsHeapGrowth * 100, 5, '%'],
  ['memory of the process after the runs, growth', figures.rssGrowth * 100, 25, '%'],
  ['event loop under 200 streams, p99', figures.delay.p99Ms, 50, 'ms'],
  ['held for a page that stopped reading', figures.stoppedPageBytes / 1e6, 32, 'MB'],
  ['left of 500 pages that came and went', figures.keptByReconnectsBytes / 1e6, 2, 'MB'],
];
for (const [what, value, most, unit] of goals) {
  const verdict = value <= most ? 'pass' : 'SHORT';
  console.log(`${verdict}  ${what}: ${value.toFixed(1)} ${unit} (goal: ${most} ${unit})`);
  if (value > most) process.exitCode = 1;
}
console.log(
  `Main computed ${Math.round(figures.cpuShare * 100)} % of that time: delays beyond it are the machine's.`,
);
