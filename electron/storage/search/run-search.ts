/** Finds runs by the words of request and reply, newest first. */
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { RunOutcome } from '../../../shared/run.ts';
import {
  type Checkpoint,
  fewRows,
  isSameByLike,
  likeText,
  phraseOf,
  type SearchFile,
} from './search-file.ts';

export interface RunQuery {
  connectionId: string | null;
  operation: OperationName | null;
  status: RunOutcome | null;
  /** Exactly this one. */
  model?: string | null;
  /** The last row already seen. */
  before: { createdAt: number; id: string } | null;
  limit: number;
}

export interface RunSearch extends RunQuery {
  /** Not empty. */
  search: string;
}

export interface FoundRuns {
  ids: string[];
  more: boolean;
}

type Condition = [sql: string, ...values: (string | number)[]];

/** As SQL behind `FROM shown_runs`, with its values. */
export function whereRuns(query: RunQuery, ...further: Condition[]): Condition {
  const { connectionId, operation, status, model = null, before } = query;
  const conditions = [...further];
  if (connectionId !== null) conditions.push(['connection_id = ?', connectionId]);
  if (operation !== null) conditions.push(['operation = ?', operation]);
  if (status !== null) conditions.push(ofOutcome(status));
  if (model !== null) conditions.push(['model = ?', model]);
  if (before) conditions.push(['(created_at, id) < (?, ?)', before.createdAt, before.id]);
  if (conditions.length === 0) return [''];
  const sql = conditions.map(([condition]) => condition).join(' AND ');
  return [`WHERE ${sql}`, ...conditions.flatMap(([, ...values]) => values)];
}

/** Whether a run that succeeded brought a result is in its figures. */
function ofOutcome(outcome: RunOutcome): Condition {
  const noResult = "CASE WHEN json_valid(figures) THEN figures ->> '$.noResult' END";
  switch (outcome) {
    case 'succeeded':
      return [`status = 'succeeded' AND ${noResult} IS NULL`];
    case 'no-result':
      return [`status = 'succeeded' AND ${noResult} IS NOT NULL`];
    default:
      return ['status = ?', outcome];
  }
}

/** How many runs are looked into at a time, the newest first, before all that there are. */
const WINDOWS = [200, 1000, 4000];
/** Texts that are looked into between two checkpoints. */
const SCANNED = 5000;

export function searchRuns(file: SearchFile, query: RunSearch, check: Checkpoint): FoundRuns {
  const { search } = query;
  const phrase = phraseOf(file, search);
  const few = phrase === null ? null : fewRows(file, 'run_search', phrase);
  if (few !== null) {
    return pageOf(file, query, [
      'row IN (SELECT run FROM run_texts WHERE row IN (SELECT value FROM json_each(?)))',
      few,
    ]);
  }
  if (phrase === null || isSameByLike(file, search)) {
    const found = searchNewest(file, query, check);
    if (found !== null) return found;
  }
  if (phrase === null) return pageOf(file, query, scanned(file, search, check));
  return pageOf(file, query, [
    `row IN (SELECT run FROM run_texts WHERE row IN
      (SELECT rowid FROM run_search WHERE run_search MATCH ?))`,
    phrase,
  ]);
}

/** Null where the newest runs do not fill a page. */
function searchNewest(file: SearchFile, query: RunSearch, check: Checkpoint): FoundRuns | null {
  const { limit } = query;
  const like = likeText(query.search);
  const ids: string[] = [];
  let { before } = query;
  for (const size of WINDOWS) {
    check();
    const [where, ...values] = whereRuns({ ...query, before });
    const runs = file
      .sql(`SELECT row, id, created_at AS createdAt FROM shown_runs ${where}
        ORDER BY created_at DESC, id DESC LIMIT ?`)
      .all(...values, size);
    const rows = JSON.stringify(runs.map(({ row }) => row));
    const hits = new Set(
      file
        .sql(`SELECT run FROM run_texts WHERE run IN (SELECT value FROM json_each(?))
          AND text LIKE ? ESCAPE '\\'`)
        .all(rows, like)
        .map(({ run }) => run),
    );
    for (const { row, id } of runs) if (hits.has(row)) ids.push(String(id));
    if (ids.length > limit || runs.length < size) {
      return { ids: ids.slice(0, limit), more: ids.length > limit };
    }
    const last = runs.at(-1);
    before = { createdAt: Number(last?.createdAt), id: String(last?.id) };
  }
  return null;
}

/** The condition on a run that it is one of those whose texts hold the words, after a look into every text. */
function scanned(file: SearchFile, search: string, check: Checkpoint): Condition {
  const like = likeText(search);
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

function pageOf(file: SearchFile, query: RunSearch, condition: Condition): FoundRuns {
  const [where, ...values] = whereRuns(query, condition);
  const ids = file
    .sql(`SELECT id FROM shown_runs ${where} ORDER BY created_at DESC, id DESC LIMIT ?`)
    .all(...values, query.limit + 1)
    .map(({ id }) => String(id));
  return { ids: ids.slice(0, query.limit), more: ids.length > query.limit };
}
