/** Finds runs by words in their requests and responses, and sorts them. */
import type { RunMetrics } from '../../../shared/contract/runs.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { RunFilterStatus } from '../../../shared/run.ts';
import { newestFirst, type RunColumn, type RunSort } from '../../../shared/run-sort.ts';
import { HAS_MISMATCH, RUN_FIRST_OUTPUT, RUN_SORT_VALUES } from '../run-sort-values.ts';
import { countFailures, measureRuns } from './run-metrics.ts';
import {
  type Checkpoint,
  escapeLike,
  getPhrase,
  likeMatchesIndex,
  readRowsIfFew,
  type SearchFile,
} from './search-file.ts';

export interface RunFilter {
  connectionId: string | null;
  operation: OperationName | null;
  status: RunFilterStatus | null;
  model?: string | null;
  from?: number | null;
  until?: number | null;
  comparisonId?: string | null;
  conversationId?: string | null;
}

export interface RunQuery extends RunFilter {
  before: { createdAt: number; id: string } | null;
  limit: number;
  folded?: boolean;
  sort?: RunSort;
}

export interface RunSearch extends RunQuery {
  search: string;
}

export interface RunMetricsQuery extends RunFilter {
  search: string;
}

export interface FoundRuns {
  ids: string[];
  more: boolean;
}

type Condition = [sql: string, ...values: (string | number)[]];

/** `checkRows` are those of `listCheckRows`; without them, no run of a check is listed. */
export function createRunCondition(
  query: RunFilter &
    Partial<Pick<RunQuery, 'before' | 'folded' | 'sort'>> & { checkRows?: string | null },
  ...further: Condition[]
): Condition {
  const { connectionId, operation, status, model = null, before = null, folded = false } = query;
  const { comparisonId = null, conversationId = null, checkRows = null } = query;
  const { from = null, until = null, sort = newestFirst } = query;
  const conditions = [...further];
  if (comparisonId === null) {
    // A nested query in place of the value would read every run of a check from its table.
    const listed: Condition = ['(check_id IS NULL OR row IN (SELECT value FROM json_each(?)))'];
    conditions.push(checkRows === null ? ['check_id IS NULL'] : [...listed, checkRows]);
  }
  if (connectionId !== null) conditions.push(['connection_id = ?', connectionId]);
  // The plus signs keep SQLite from sorting all runs of an operation or model by time.
  if (operation !== null) conditions.push(['+operation = ?', operation]);
  if (status !== null) conditions.push(createOutcomeCondition(status));
  if (model !== null) conditions.push(['+model = ?', model]);
  if (comparisonId !== null) conditions.push(['comparison_id = ?', comparisonId]);
  // Runs have no index by conversation, but messages have.
  if (conversationId !== null) {
    conditions.push([
      'id IN (SELECT run_id FROM messages WHERE conversation_id = ? AND run_id IS NOT NULL)',
      conversationId,
    ]);
  }
  if (from !== null) conditions.push(['created_at >= ?', from]);
  if (until !== null) conditions.push(['created_at < ?', until]);
  if (folded) conditions.push(createNewestCondition(conditions));
  if (before !== null) {
    const sign = sort.isDescending ? '<' : '>';
    conditions.push([`(created_at, id) ${sign} (?, ?)`, before.createdAt, before.id]);
  }
  const sql = conditions.map(([condition]) => condition).join(' AND ');
  return [`WHERE ${sql}`, ...conditions.flatMap(([, ...values]) => values)];
}

/** Returns the first run of each check, as JSON; null unless the query is folded. */
export function listCheckRows(
  file: Pick<SearchFile, 'sql'>,
  { folded = false }: Pick<RunQuery, 'folded'>,
): string | null {
  if (!folded) return null;
  const rows = file
    .sql(`SELECT (SELECT earliest.row FROM runs earliest
        WHERE earliest.check_id = checks.id AND earliest.deleted_at IS NULL
        ORDER BY earliest.row LIMIT 1) AS row
      FROM checks WHERE checks.deleted_at IS NULL`)
    .all();
  return JSON.stringify(rows.flatMap(({ row }) => row ?? []));
}

/** Matches a comparison's newest run, using its index because it has the fewest candidates. */
function createNewestCondition(conditions: readonly Condition[]): Condition {
  const others = conditions.map(([condition]) => ` AND ${condition}`).join('');
  return [
    `(comparison_id IS NULL
      OR NOT EXISTS (SELECT 1 FROM comparisons
        WHERE comparisons.id = shown_runs.comparison_id AND comparisons.deleted_at IS NULL)
      OR NOT EXISTS (SELECT 1 FROM runs newer INDEXED BY runs_by_comparison
        WHERE newer.comparison_id = shown_runs.comparison_id
          AND newer.deleted_at IS NULL
          AND (newer.created_at, newer.id) > (shown_runs.created_at, shown_runs.id)${others}))`,
    ...conditions.flatMap(([, ...values]) => values),
  ];
}

const valuesMayBeMissing: ReadonlySet<RunColumn> = new Set(['tokens', 'cost', 'duration']);

interface ListedRow {
  row: number;
  id: string;
  createdAt: number;
  comparisonId: string | null;
}

/** Returns the first `limit` runs in the query's order, those without a value last. */
function readPage(
  file: SearchFile,
  { sort = newestFirst, ...asked }: RunQuery,
  limit: number,
  ...found: Condition[]
): ListedRow[] {
  const { by, isDescending } = sort;
  const query = { ...asked, checkRows: listCheckRows(file, asked) };
  if (by === 'time') {
    const [where, ...values] = createRunCondition({ ...query, sort }, ...found);
    return file
      .sql(`SELECT ${listedColumns} FROM shown_runs ${where} ${writeTimeOrder(sort)} LIMIT ?`)
      .all(...values, limit)
      .map(toListedRow);
  }
  const column = RUN_SORT_VALUES[by];
  const sign = isDescending ? '<' : '>';
  const direction = isDescending ? 'DESC' : 'ASC';
  const { before, ...others } = query;
  const [where, ...values] = createRunCondition(
    { ...others, sort },
    ['deleted_at IS NULL'],
    ...found,
  );
  const read = (order: string, [condition, ...more]: Condition, count: number) =>
    file
      // Only a table can name its index; the alias is the view's name, which conditions use.
      .sql(`SELECT ${listedColumns} FROM runs shown_runs INDEXED BY runs_sorted_by_${by}
        ${where} AND ${condition} ORDER BY ${order}row ${direction} LIMIT ?`)
      .all(...values, ...more, count)
      .map(toListedRow);
  // Read the last row's value again instead of sending it with each page.
  const last = before === null ? null : readLast(file, before.id, column);
  if (last === undefined) return [];
  if (last !== null && last.value === null) {
    return read('', [`${column} IS NULL AND row ${sign} ?`, last.row], limit);
  }
  const rows = read(
    `${column} ${direction}, `,
    last?.value == null
      ? [`${column} IS NOT NULL`]
      : [`(${column}, row) ${sign} (?, ?)`, last.value, last.row],
    limit,
  );
  return rows.length === limit || !valuesMayBeMissing.has(by)
    ? rows
    : [...rows, ...read('', [`${column} IS NULL`], limit - rows.length)];
}

function readLast(file: SearchFile, id: string, column: string) {
  const last = file.sql(`SELECT row, ${column} AS value FROM runs WHERE id = ?`).get(id);
  if (last === undefined) return undefined;
  const { value } = last;
  const isValue = typeof value === 'string' || typeof value === 'number';
  return { row: Number(last.row), value: isValue ? value : null };
}

const listedColumns = 'row, id, created_at AS createdAt, comparison_id AS comparisonId';

function toListedRow({ row, id, createdAt, comparisonId }: Record<string, unknown>): ListedRow {
  return {
    row: Number(row),
    id: String(id),
    createdAt: Number(createdAt),
    comparisonId: comparisonId === null ? null : String(comparisonId),
  };
}

export function writeTimeOrder({ isDescending }: RunSort): string {
  return isDescending ? 'ORDER BY created_at DESC, id DESC' : 'ORDER BY created_at, id';
}

/** SQLite uses a partial index only if the query repeats the index's condition. */
function createOutcomeCondition(outcome: RunFilterStatus): Condition {
  const noResult = "CASE WHEN json_valid(figures) THEN figures ->> '$.noResult' END";
  switch (outcome) {
    case 'succeeded':
      return [`status = 'succeeded' AND ${noResult} IS NULL`];
    case 'no-result':
      return [`status = 'succeeded' AND ${noResult} IS NOT NULL`];
    case 'mismatch':
      return [HAS_MISMATCH];
    case 'queued':
    case 'running':
      return ["status IN ('queued', 'running') AND status = ?", outcome];
    default:
      return ["status NOT IN ('queued', 'running', 'succeeded') AND status = ?", outcome];
  }
}

const WINDOWS = [200, 1000, 4000];
const SCANNED = 5000;

export function searchRuns(file: SearchFile, query: RunSearch, check: Checkpoint): FoundRuns {
  const { search, sort = newestFirst } = query;
  if (search === '' && sort.by !== 'time') return getPage(file, query);
  const titled = findTitledComparisons(file, search);
  const phrase = getPhrase(search);
  const few = phrase === null ? null : readRowsIfFew(file, 'run_search', phrase);
  if (few !== null) return getPage(file, query, addTitled(createTextCondition(few), titled));
  if (phrase === null || likeMatchesIndex(search)) {
    const found = searchFirst(file, query, titled, check);
    if (found !== null) return found;
  }
  const found = phrase === null ? scanRuns(file, search, check) : createMatch(phrase);
  return getPage(file, query, addTitled(found, titled));
}

function findTitledComparisons(file: SearchFile, search: string): string[] {
  const words = search.toLowerCase();
  return file
    .sql('SELECT id, title FROM comparisons WHERE deleted_at IS NULL AND check_id IS NULL')
    .all()
    .filter(({ title }) => String(title).toLowerCase().includes(words))
    .map(({ id }) => String(id));
}

function addTitled([sql, ...values]: Condition, titled: readonly string[]): Condition {
  if (titled.length === 0) return [sql, ...values];
  const either = `(${sql} OR comparison_id IN (SELECT value FROM json_each(?)))`;
  return [either, ...values, JSON.stringify(titled)];
}

export function findMetrics(
  file: SearchFile,
  query: RunMetricsQuery,
  check: Checkpoint,
): RunMetrics {
  const { search } = query;
  const titled = search === '' ? [] : findTitledComparisons(file, search);
  const found = search === '' ? [] : [addTitled(withWords(file, search, check), titled)];
  const [where, ...values] = createRunCondition(query, ...found);
  const counts = new Map(
    file
      .sql(`SELECT ${RUN_SORT_VALUES.status} AS outcome, count(*) AS runs FROM shown_runs ${where}
        GROUP BY ${RUN_SORT_VALUES.status}`)
      .all(...values)
      .map(({ outcome, runs }) => [String(outcome), Number(runs)]),
  );
  check();
  const [priced, ...pricedValues] = createRunCondition(query, ['cost IS NOT NULL'], ...found);
  const cost = file
    .sql(`SELECT sum(cost) AS dollars, count(*) AS runs FROM shown_runs ${priced}`)
    .get(...pricedValues);
  check();
  const rows = file
    .sql(`SELECT created_at, ${RUN_SORT_VALUES.status} AS outcome,
      ${RUN_SORT_VALUES.duration} AS total, ${RUN_FIRST_OUTPUT} AS first
      FROM shown_runs ${where} ORDER BY created_at DESC LIMIT ${MAX_MEASURED}`)
    .all(...values);
  return {
    runs: [...counts.values()].reduce((sum, count) => sum + count, 0),
    failures: countFailures(counts),
    dollars: toNumber(cost?.dollars),
    pricedRuns: Number(cost?.runs ?? 0),
    ...measureRuns(
      rows.map(({ created_at, outcome, total, first }) => ({
        createdAt: Number(created_at),
        outcome: String(outcome),
        totalMs: toNumber(total),
        firstOutputMs: toNumber(first),
      })),
    ),
  };
}

/** Times are measured from the newest runs only, because reading one takes a few microseconds. */
const MAX_MEASURED = 10_000;

function toNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function withWords(file: SearchFile, search: string, check: Checkpoint): Condition {
  const phrase = getPhrase(search);
  if (phrase === null) return scanRuns(file, search, check);
  const few = readRowsIfFew(file, 'run_search', phrase);
  return few === null ? createMatch(phrase) : createTextCondition(few);
}

function createTextCondition(rows: string): Condition {
  return ['row IN (SELECT run FROM run_texts WHERE row IN (SELECT value FROM json_each(?)))', rows];
}

function createMatch(phrase: string): Condition {
  return [
    `row IN (SELECT run FROM run_texts WHERE row IN
      (SELECT rowid FROM run_search WHERE run_search MATCH ?))`,
    phrase,
  ];
}

/** Returns null if the first runs in the query's order don't fill a page. */
function searchFirst(
  file: SearchFile,
  query: RunSearch,
  titled: readonly string[],
  check: Checkpoint,
): FoundRuns | null {
  const { limit, folded = false } = query;
  const like = escapeLike(query.search);
  const newestByComparison = findNewest(file, query, titled);
  const titledIds = new Set<unknown>(titled);
  const ids: string[] = [];
  let { before } = query;
  for (const size of WINDOWS) {
    check();
    const runs = readPage(file, { ...query, before, folded: false }, size);
    const rows = JSON.stringify(runs.map(({ row }) => row));
    const hits = new Set(
      file
        .sql(`SELECT run FROM run_texts WHERE run IN (SELECT value FROM json_each(?))
          AND text LIKE ? ESCAPE '\\'`)
        .all(rows, like)
        .map(({ run }) => run),
    );
    for (const { row, id, comparisonId } of runs) {
      if (!hits.has(row) && !titledIds.has(comparisonId)) continue;
      const newest = folded && comparisonId !== null ? newestByComparison(comparisonId) : null;
      if (newest !== null && newest !== id) continue;
      ids.push(id);
    }
    if (ids.length > limit || runs.length < size) {
      return { ids: ids.slice(0, limit), more: ids.length > limit };
    }
    before = runs.at(-1) ?? null;
  }
  return null;
}

/** Returns a function that finds a comparison's newest matching run, or null if it is deleted. */
function findNewest(file: SearchFile, query: RunSearch, titled: readonly string[]) {
  const known = new Map<string, string | null>();

  function find(comparisonId: string): string | null {
    const text: Condition = [
      `row IN (SELECT run FROM run_texts WHERE text LIKE ? ESCAPE '\\'
        AND run IN (SELECT runs.row FROM runs WHERE runs.comparison_id = ?))`,
      escapeLike(query.search),
      comparisonId,
    ];
    const only = { ...query, comparisonId, before: null, folded: false };
    const [where, ...values] = createRunCondition(only, addTitled(text, titled));
    const newest = file
      .sql(`SELECT id FROM shown_runs ${where} AND EXISTS
          (SELECT 1 FROM comparisons WHERE comparisons.id = comparison_id AND comparisons.deleted_at IS NULL)
        ORDER BY created_at DESC, id DESC LIMIT 1`)
      .get(...values);
    return newest === undefined ? null : String(newest.id);
  }

  return (comparisonId: string): string | null => {
    const newest = known.has(comparisonId) ? known.get(comparisonId) : find(comparisonId);
    known.set(comparisonId, newest ?? null);
    return newest ?? null;
  };
}

function scanRuns(file: SearchFile, search: string, check: Checkpoint): Condition {
  const like = escapeLike(search);
  const runs = new Set<unknown>();
  const last = Number(file.sql('SELECT max(row) AS last FROM run_texts').get()?.last ?? 0);
  for (let from = 0; from <= last; from += SCANNED) {
    check();
    const rows = file
      .sql("SELECT run FROM run_texts WHERE row BETWEEN ? AND ? AND text LIKE ? ESCAPE '\\'")
      .all(from, from + SCANNED - 1, like);
    for (const { run } of rows) runs.add(run);
  }
  return ['row IN (SELECT value FROM json_each(?))', JSON.stringify([...runs])];
}

function getPage(file: SearchFile, query: RunSearch, ...found: Condition[]): FoundRuns {
  const { limit } = query;
  const ids = readPage(file, query, limit + 1, ...found).map(({ id }) => id);
  return { ids: ids.slice(0, limit), more: ids.length > limit };
}
