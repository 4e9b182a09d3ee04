import { createRouterClient } from '@orpc/server';
import { expect, it } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import { readCsv } from '../../renderer/lib/csv.ts';
import type { RunExport } from '../../shared/contract/runs.ts';
import { serveScript, untilEnded } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { always, jsonReply } from '../fixtures/wire-server.ts';

const filter = { connectionId: null, operation: null, status: null };

async function openRuns() {
  const content = '=HYPERLINK("http://x.example","Win")\nand "more", too';
  const body = {
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
  };
  const server = await serveScript(always(jsonReply(JSON.stringify(body))));
  const services = await startTestServices({ baseUrl: server.url, key: 'sk-test-1234567890' });
  const ids: string[] = [];
  for (const model of ['m-1', '+m-2', 'm-3']) {
    const request = { model, messages: [{ role: 'user', content: `Ask ${model}` }] };
    const input = { connectionId: 'environment', extraBody: { top_k: 3 } };
    ids.push(await services.engine.start({ ...input, operation: 'chat', request }));
    await untilEnded(services, ids.at(-1) ?? '');
  }
  const api = createRouterClient(createRouter(services));
  async function write(input: Omit<RunExport, 'filter'> & { filter?: object }): Promise<string> {
    let text = '';
    for await (const piece of await api.runs.export({
      ...input,
      filter: { ...filter, ...input.filter },
    }))
      text += piece;
    return text;
  }
  return { server, ids, write };
}

it('exports a filter as CSV without spreadsheet formulas', async () => {
  const { server, ids, write } = await openRuns();
  const csv = await write({ format: 'csv', selected: null, filter: { model: '+m-2' } });
  const [header = [], cells = [], ...rest] = readCsv(csv);
  expect(rest).toEqual([]);
  const row = Object.fromEntries(header.map((name, index) => [name, cells[index]]));
  expect(row).toMatchObject({
    ID: ids[1],
    Panel: 'chat',
    Model: "'+m-2",
    Status: 'succeeded',
    'HTTP status': '200',
    Prompt: 'Ask +m-2',
    'Input tokens': '7',
    'Output tokens': '5',
    Tokens: '12',
    Error: '',
    Result: '\'=HYPERLINK("http://x.example","Win")\nand "more", too',
  });
  expect(csv).not.toContain(server.url);
});

it('exports selected runs as JSONL with their requests', async () => {
  const { server, ids, write } = await openRuns();
  const [first = '', , third = ''] = ids;
  const selected = { runIds: [third, 'deleted', first], comparisonIds: [] };
  const text = await write({ format: 'jsonl', selected });
  const lines = text.trim().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { id: third, model: 'm-3', request: { model: 'm-3' }, extraBody: { top_k: 3 } },
    { id: first, usage: { prompt_tokens: 7 }, result: { text: expect.stringMatching(/^=HYP/) } },
  ]);
  expect(text).not.toContain(server.url);
});
