import { describe, expect, it } from 'vitest';
import { getFigures } from '../../renderer/run/frame/run-figures.tsx';
import { makeTimings } from '../fixtures/timings.ts';

const timings = makeTimings({
  connectMs: 1,
  reusedSocket: false,
  sentAtMs: 2,
  headAtMs: 300,
  firstDeltaAtMs: 500,
  endAtMs: 4500,
  deltaCount: 100,
});
const run = {
  operation: 'chat' as const,
  model: 'requested',
  createdAt: 1000,
  startedAt: 1000,
  finishedAt: 5500,
  timings,
  figures: null,
  cost: null,
};

describe('figuresOf', () => {
  const usage = {
    prompt_tokens: 1200,
    completion_tokens: 200,
    total_tokens: 1450,
    completion_tokens_details: { reasoning_tokens: 30 },
    prompt_tokens_details: { cached_tokens: 0 },
  };

  it('lists the known figures in reading order', () => {
    const finishReasons = ['stop', 'stop', 'length'];
    const figures = { model: 'answered', usage, finishReasons, noResult: null };
    const found = getFigures({ ...run, figures, cost: 0.0012 });
    expect(found.map(({ label, value }) => `${label} ${value}`)).toEqual([
      'Model answered',
      'First token 500 ms',
      'Speed 50.0 tokens/s',
      'Input 1,200',
      'Output 200',
      'Reasoning 30',
      'Tokens 1,450',
      'Finish reason stop × 2, length',
      'Total time 4.50 s',
      'Est. cost $0.0012',
    ]);
  });

  it('omits a total that is the sum of input and output, and an embedding’s output', () => {
    const labelsOf = (used: Record<string, number>, operation: 'completion' | 'embeddings') => {
      const figures = { model: null, usage: used, finishReasons: [], noResult: null };
      return getFigures({ ...run, operation, figures }).map(({ label }) => label);
    };
    const sum = { prompt_tokens: 12, completion_tokens: 0, total_tokens: 12 };
    expect(labelsOf(sum, 'completion')).not.toContain('Tokens');
    expect(labelsOf(sum, 'completion')).toContain('Output');
    expect(labelsOf(sum, 'embeddings')).not.toContain('Output');
    expect(labelsOf({ total_tokens: 12 }, 'completion')).toContain('Tokens');
  });

  it('shows the cost and speed that the gateway reports', () => {
    const figures = {
      model: null,
      usage: { ...usage, prompt_cache_hit_tokens: 960 },
      finishReasons: [],
      noResult: null,
      chargedDollars: 0.02,
      tokensPerSecond: 81.25,
    };
    const found = getFigures({ ...run, figures, cost: 0.02 });
    expect(found).toContainEqual(expect.objectContaining({ label: 'Cached', value: '960' }));
    expect(found).toContainEqual({
      key: 'cost',
      label: 'Cost',
      value: '$0.02',
      help: 'Charged by the gateway.',
    });
    expect(found).toContainEqual({
      key: 'rate',
      label: 'Speed',
      value: '81.3 tokens/s',
      help: 'Output tokens per second, as measured by the gateway.',
    });
  });

  it.each([
    ['speech', 'First byte'],
    ['image', 'First output'],
    ['completion', 'First token'],
  ] as const)('labels the first output of %s “%s”', (operation, label) => {
    const figures = getFigures({ ...run, operation });
    expect(figures).toContainEqual(expect.objectContaining({ label, value: '500 ms' }));
  });

  it('shows only the model of a run that the user stopped before any output', () => {
    const figures = getFigures({ ...run, startedAt: null, timings: null });
    expect(figures).toMatchObject([{ value: 'requested' }]);
  });
});
