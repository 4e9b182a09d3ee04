/** Opens a data folder, lists its runs and searches. `full-ledger.ts <folder>` prints one JSON document. */
import { timed } from '../harness/rounds.ts';
import { openBenchHome } from './bench-home.ts';

const [folder = ''] = process.argv.slice(2);
const page = { connectionId: null, operation: null, status: null, before: null, limit: 100 };

const startedAt = performance.now();
const { services } = await openBenchHome('http://127.0.0.1:9', folder);
const startMs = performance.now() - startedAt;
const { ledger } = services;
let listed = 0;
const listMs = await timed(async () => {
  listed = ledger.list(page).runs.length;
});
// The first search starts its thread and compiles its sources.
await ledger.search({ ...page, search: 'nowhere' });
let found = 0;
const searchMs = await timed(async () => {
  found = (await ledger.search({ ...page, search: 'everywhere' })).runs.length;
});
console.log(JSON.stringify({ startMs, listMs, searchMs, listed, found }));
await services.close();
