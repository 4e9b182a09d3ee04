import { describe, expect, it } from 'vitest';
import { judgeProbe, planProbe } from '../../electron/checks/probe.ts';
import type { ProbeInput } from '../../shared/checks/check.ts';
import type { ProbeAnswer } from '../../shared/checks/probe/judge-row.ts';
import { comparisonPlanSchema } from '../../shared/comparison.ts';
import { appError } from '../../shared/errors.ts';
import { operations } from '../../shared/operations/operations.ts';
import { chatChoice } from '../fixtures/chat-choice.ts';
import { runSummary, runView } from '../fixtures/run-view.ts';

const input: ProbeInput = {
  kind: 'probe',
  connectionId: 'demo',
  models: ['small-1', 'small-2'],
  formats: ['', 'messages'],
  operations: ['console', 'chat', 'rerank', 'transcription', 'video'],
};

describe('the plan of a probe', () => {
  it('has a valid comparison for each operation and chat format', () => {
    const { comparisons } = planProbe(input, 'A'.repeat(22));
    expect(comparisons.map(({ title, variants }) => [title, variants.length])).toEqual([
      ['Probe: console', 1],
      ['Probe: Chat completions', 2],
      ['Probe: Messages', 2],
      ['Probe: Rerank', 2],
      ['Probe: transcription', 2],
      ['Probe: Video generations', 2],
    ]);
    for (const plan of comparisons) {
      comparisonPlanSchema.parse({ ...plan, repeats: 1, sourceComparisonId: null });
    }
    const [, chat, messages] = comparisons;
    expect(chat?.rows.every(({ request }) => request.format === undefined)).toBe(true);
    expect(messages?.rows.every(({ request }) => request.format === 'messages')).toBe(true);
  });

  it('says what is asked, with as many requests as the comparisons have', () => {
    const { asked, comparisons } = planProbe(input, null);
    const planned = comparisons.map(({ rows, variants }) => rows.length * variants.length);
    const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
    expect(sum(asked.map(({ requests }) => requests))).toBe(sum(planned));
    expect(asked.filter(({ id }) => id === 'stop')).toHaveLength(1);
    expect(asked.some(({ group }) => group === 'Transcription')).toBe(false);
  });

  it('lists the rows in the same order, whatever was asked first', () => {
    const listIds = (operations: ProbeInput['operations'], formats: ProbeInput['formats']) =>
      planProbe({ ...input, operations, formats }, null).asked.map(({ id }) => id);
    const ids = listIds(['console', 'chat', 'rerank'], ['', 'messages']);
    expect(listIds(['rerank', 'chat', 'console'], ['messages', ''])).toEqual(ids);
    expect(ids[0]).toBe('model-list');
  });

  it('sends an unknown field only in its own row', () => {
    const [, chat] = planProbe(input, null).comparisons;
    const extended = chat?.rows.filter(({ variants }) => variants.length > 0) ?? [];
    expect(extended.map(({ id }) => id)).toEqual(['unknown-field.asked']);
    expect(extended[0]?.variants.map(({ extraBody }) => extraBody)).toEqual([
      { gatehouse_probe: 1 },
      { gatehouse_probe: 1 },
    ]);
  });

  it.each([
    [['completion'], 'A probe asks nothing about completion.'],
    [['chat', 'completion'], 'A probe asks nothing about completion.'],
  ] as const)('rejects a probe of %j, for which it has no rows', (operations, message) => {
    expect(() => planProbe({ ...input, operations: [...operations] }, null)).toThrow(message);
  });
});

describe('the verdicts of a probe', () => {
  const [plan] = planProbe({ ...input, operations: ['rerank'] }, null).comparisons;
  if (plan === undefined) throw new Error('There is no plan.');
  const comparison = { ...plan, id: 'c-1' };
  const body = { models: input.models, formats: input.formats, operations: input.operations };
  const failed: ProbeAnswer = {
    view: runView('rerank', {
      status: 'failed',
      httpStatus: 422,
      error: appError('http', 'No.', 'Retry.', { retryAfterSeconds: null }),
    }),
    request: { top_n: 2 },
  };
  const judge = (
    answer: ProbeAnswer | null,
    isFinished = (_place: number) => true,
    isJudged = (_row: string, _runIds: string) => false,
  ) =>
    judgeProbe(body, [comparison], {
      findRun: (_, place) =>
        isFinished(place)
          ? runSummary({ id: `run-${place}`, finishedAt: 1000 + place })
          : undefined,
      isJudged,
      readAnswer: async () => answer,
      now: () => 5,
    });

  it('name the run, the cell and the field that decided', async () => {
    const verdicts = await judge(failed);
    expect(verdicts.map(({ model, rowId }) => `${model} ${rowId}`)).toEqual([
      'small-1 top-n',
      'small-1 return-documents',
      'small-2 top-n',
      'small-2 return-documents',
    ]);
    expect(verdicts[2]).toEqual({
      model: 'small-2',
      format: '',
      rowId: 'top-n',
      verdict: 'unclear',
      sentence: 'The request is rejected without the field too.',
      chance: null,
      evidence: {
        runId: 'run-3',
        place: { comparisonId: 'c-1', place: 3 },
        field: 'error',
      },
      atMs: 1003,
    });
  });

  it('leave out rows whose requests haven’t all ended', async () => {
    const first = comparison.rows.filter(({ id }) => id.startsWith('top-n'));
    const verdicts = await judge(failed, (place) => place < first.length * input.models.length);
    expect(verdicts.map(({ rowId }) => rowId)).toEqual(['top-n', 'top-n']);
  });

  it('leave out rows that were judged by the same runs', async () => {
    const rows: string[] = [];
    const isFirst = (row: string, runIds: string) => rows.push(`${row}: ${runIds}`) === 1;
    const verdicts = await judge(failed, undefined, isFirst);
    expect(verdicts.map(({ model, rowId }) => `${model} ${rowId}`)).toEqual([
      'small-1 return-documents',
      'small-2 top-n',
      'small-2 return-documents',
    ]);
    expect(new Set(rows).size).toBe(4);
  });

  it.each([
    ['', 'choices[0].message.content', 'usage.completion_tokens'],
    ['messages', 'content', 'usage.output_tokens'],
    ['responses', 'output', 'usage.output_tokens'],
  ] as const)('name the fields of a response of the format “%s”', async (format, text, usage) => {
    const asked = { formats: [format], operations: ['chat' as const], models: ['small-1'] };
    const planned = planProbe({ ...input, ...asked }, null).comparisons.map((each) => {
      return { ...each, id: 'c-2' };
    });
    const choices = [chatChoice({ content: 'Hello', finishReason: 'stop' })];
    const state = { ...operations.chat.initialState, choices };
    const figures = { model: null, usage: { completion_tokens: 900 }, finishReasons: [] };
    const view = runView('chat', {
      status: 'succeeded',
      state,
      figures: { ...figures, noResult: null },
    });
    const verdicts = await judgeProbe(asked, planned, {
      findRun: (_, place) => runSummary({ id: `run-${place}` }),
      isJudged: () => false,
      readAnswer: async () => ({ view, request: { max_completion_tokens: 16 } }),
      now: () => 5,
    });
    const getField = (rowId: RegExp) =>
      verdicts.find((each) => rowId.test(each.rowId))?.evidence?.field;
    expect([getField(/system-role/), getField(/^max-/)]).toEqual([text, usage]);
  });

  it('can’t tell if the runs were deleted', async () => {
    const verdicts = await judge(null);
    expect(verdicts.map(({ verdict, evidence, atMs }) => [verdict, evidence, atMs])).toEqual(
      Array(4).fill(['unclear', null, 5]),
    );
  });
});
