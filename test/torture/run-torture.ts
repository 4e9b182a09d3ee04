/**
 * Kills the host 200 times under mixed work (`npm run torture`). `--kills N` sets the number of
 * kills. `--seed N` sets when each host is killed and which jobs run. `--grace MS` sets the time
 * before a kill in which events may be lost; raise it on a busy machine.
 */
import { parseArgs } from 'node:util';
import { torture } from './torture.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string' },
    grace: { type: 'string', default: '100' },
  },
});
const seed = Number(values.seed ?? process.env.GATEHOUSE_SEED ?? Date.now() % 2 ** 31);
const kills = Number(values.kills);
console.log(`${kills} kills, seed ${seed} (--seed ${seed} plans the same kills and jobs again)`);
const startedAt = performance.now();
const figures = await torture({
  kills,
  seed,
  graceMs: Number(values.grace),
  mostWorkMs: 2500,
  longestTaskMs: 8000,
  log: (line) => console.log(line),
});
console.table(figures);
console.log(
  `Nothing lost, doubled or damaged. ${Math.round((performance.now() - startedAt) / 1000)} s`,
);
