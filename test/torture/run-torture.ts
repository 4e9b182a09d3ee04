/**
 * Kills the host 200 times under mixed work (`npm run torture`). `--kills N` sets the number of
 * kills. `--seed N` sets when each host is killed and which jobs run. `--busy [N]` adds N processes
 * that burn the processor, by default two per core.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { torture } from './torture.ts';

const { values, positionals } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string' },
    busy: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const seed = Number(values.seed ?? process.env.GATEHOUSE_SEED ?? Date.now() % 2 ** 31);
const kills = Number(values.kills);
const burners = values.busy ? Number(positionals[0] ?? 2 * availableParallelism()) : 0;
console.log(`${kills} kills, seed ${seed} (--seed ${seed} plans the same kills and jobs again)`);
const startedAt = performance.now();
const figures = await torture({
  kills,
  seed,
  burners,
  mostWorkMs: 2500,
  longestTaskMs: 8000,
  log: (line) => console.log(line),
});
console.table(figures);
console.log(
  `Nothing lost, doubled or damaged. ${Math.round((performance.now() - startedAt) / 1000)} s`,
);
