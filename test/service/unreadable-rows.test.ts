import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createRouterClient } from '@orpc/server';
import { expect, it, onTestFinished } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import type { Services } from '../../electron/services.ts';
import type { Tool } from '../../shared/operations/chat/message.ts';
import type { Rates } from '../../shared/prices.ts';
import type { HistoryFilter } from '../../shared/saved-run-filter.ts';
import { plan, variants } from '../fixtures/comparisons.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { pixel } from '../fixtures/pixel.ts';
import { everyRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const noSettings = { params: {}, extraBody: '' };
const rates: Rates = {
  inputPerMillionTokens: 1,
  cachedInputPerMillionTokens: null,
  cacheWritePerMillionTokens: null,
  hourCacheWritePerMillionTokens: null,
  outputPerMillionTokens: null,
  perImage: null,
  perVideoSecond: null,
  perMillionCharacters: null,
  perSoundMinute: null,
};
const noFilter: HistoryFilter = {
  search: '',
  operation: null,
  model: null,
  connectionId: null,
  status: null,
  dates: { kind: 'any' },
};
const GARBAGE = '{garbage\u0007';

/** Returns the procedures that list what the ledger holds, by name. */
function getLists(services: Services): Record<string, () => Promise<unknown[]>> {
  const api = createRouterClient(createRouter(services));
  return {
    'comparisons.blind': () => api.comparisons.blind(),
    'connections.list': () => api.connections.list(),
    'conversations.list': () => api.conversations.list({ search: '', limit: 100 }),
    'a search for conversations': () => api.conversations.list({ search: 'needle', limit: 100 }),
    'mcp.list': () => api.mcp.list(),
    'media.list': async () => (await api.media.list({ kind: null, after: null, limit: 100 })).media,
    'saved.presets.list': () => api.saved.presets.list(),
    'prices.list': () => api.prices.list(),
    'prices.others': async () => Object.keys(await api.prices.others({ search: '' })),
    'prices.today': () => api.prices.today(),
    'saved.prompts.list': () => api.saved.prompts.list(),
    'runs.list': async () => (await api.runs.list(everyRun)).runs,
    'runs.list, folded': async () =>
      (await api.runs.list({ ...everyRun, folded: true })).comparisons,
    'runs.models': () => api.runs.models(),
    'saved.filters.list': () => api.saved.filters.list(),
    'saved.requests.list': () => api.saved.requests.list(),
    'settings.get': async () => Object.keys(await api.settings.get()),
    'system.diskUse': () => api.system.diskUse(),
    'saved.toolSets.list': () => api.saved.toolSets.list(),
    'saved.tools.list': () => api.saved.tools.list(),
  };
}

/** Adds at least two rows to each list. */
async function fill(services: Services): Promise<void> {
  const { comparisons, connections, conversations, engine, mcp, media } = services;
  for (const name of ['one', 'two']) {
    const { id: conversationId } = conversations.create({});
    const { runId } = await conversations.send({
      conversationId,
      connectionId: 'demo',
      parentId: null,
      request: { model: 'demo-echo', stream: true },
      message: { role: 'user', content: `A needle, number ${name}` },
    });
    for await (const _update of engine.watch(runId, null, undefined));
    const writer = media.begin({ name, declaredType: 'image/png', role: 'upload' });
    await writer.write(Buffer.concat([pixel, Buffer.from(name)]));
    await writer.finish();
    await connections.create({ name, baseUrl: 'http://127.0.0.1:9' });
    await mcp.save({
      id: null,
      name,
      enabled: true,
      transport: { type: 'http', url: 'http://127.0.0.1:9', headers: [] },
    });
    const tool: Tool = { type: 'function', function: { name } };
    const { id: toolId } = services.saved.tools.save({ tool });
    services.saved.toolSets.save({ name, tools: [{ id: toolId, name }], mcpTools: [] });
    services.saved.presets.save({ operation: 'chat', name, settings: noSettings });
    services.prices.save(null, { connectionId: 'demo', model: name, rates });
    services.saved.prompts.save({ name, text: name });
    services.saved.filters.save({
      name,
      filter: noFilter,
      sort: { by: 'time', isDescending: true },
    });
    const file = null;
    services.saved.requests.save({
      name,
      request: {
        method: 'GET',
        path: '/',
        headers: '',
        bodyKind: 'json',
        body: '',
        fields: [],
        file,
      },
    });
    await comparisons.start(plan(variants(name).map((one) => ({ ...one, connectionId: 'demo' }))));
  }
}

interface TextColumn {
  table: string;
  column: string;
  /** The columns that identify a row. */
  key: string;
}

/** Returns the columns in which a damaged or foreign file can hold any text. */
function listTextColumns(db: DatabaseSync): TextColumn[] {
  return db
    .prepare(`SELECT t.name AS tableName, c.name AS columnName, iif(t.wr, (SELECT group_concat(k.name)
        FROM pragma_table_xinfo(t.name) k WHERE k.pk > 0), 'rowid') AS keyNames
      FROM pragma_table_list t JOIN pragma_table_xinfo(t.name) c
      WHERE t.type = 'table' AND t.schema = 'main' AND c.type = 'TEXT' AND c.hidden = 0
        AND t.name NOT LIKE 'sqlite_%' AND t.name <> 'file_state'`)
    .all()
    .map(({ tableName, columnName, keyNames }) => ({
      table: String(tableName),
      column: String(columnName),
      key: String(keyNames),
    }));
}

type Counts = Map<string, number | string>;

/** Returns the length of each list, or the error of one that fails. */
async function countLists(lists: ReturnType<typeof getLists>): Promise<Counts> {
  const counts: Counts = new Map();
  for (const [name, list] of Object.entries(lists)) {
    counts.set(name, await list().then(({ length }) => length, String));
  }
  return counts;
}

/** Damages the column of one row while `work` runs. */
async function damage<Result>(
  db: DatabaseSync,
  { table, column, key }: TextColumn,
  work: () => Promise<Result>,
): Promise<Result> {
  const first = `FROM ${table} ORDER BY ${key} LIMIT 1`;
  const value = db.prepare(`SELECT ${column} AS value ${first}`).get()?.value ?? null;
  db.prepare(`UPDATE ${table} SET ${column} = ? WHERE (${key}) IN (SELECT ${key} ${first})`).run(
    GARBAGE,
  );
  try {
    return await work();
  } finally {
    db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`).run(value, GARBAGE);
  }
}

it('shows the other rows of every list if one row can’t be read, with a notice', async () => {
  const home = temporaryFolder();
  const services = await startTestServices({ home });
  await fill(services);
  services.ledger.flush();
  const lists = getLists(services);
  const full = await countLists(lists);
  expect([...full].filter(([, count]) => typeof count !== 'number')).toEqual([]);

  const db = new DatabaseSync(join(home, 'ledger.sqlite'), {
    timeout: 5000,
    enableForeignKeyConstraints: false,
  });
  onTestFinished(() => db.close());
  for (const place of listTextColumns(db)) {
    const counts = await damage(db, place, () => countLists(lists));
    const failed = [...counts].filter(([name, count]) => count === 0 && full.get(name) !== 0);
    const errors = [...counts].filter(([, count]) => typeof count !== 'number');
    expect({ place, failed, errors }).toEqual({ place, failed: [], errors: [] });
  }
  const told = services.system.info().notices.map(({ message }) => message);
  expect(told.toSorted()).toEqual(
    ['MCP servers', 'connections', 'console requests', 'media', 'prices', 'runs'].map(
      (what) => `Some stored ${what} couldn’t be read and were skipped.`,
    ),
  );
});
