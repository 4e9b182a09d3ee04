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
  sentBytes: 1,
  receivedBytes: 1,
});

const times = { createdAt: 1000, startedAt: 1000, finishedAt: 5500, timings };

describe('figuresOf', () => {
  const usage = {
    prompt_tokens: 1200,
    completion_tokens: 200,
    total_tokens: 1400,
    completion_tokens_details: { reasoning_tokens: 30 },
    prompt_tokens_details: { cached_tokens: 0 },
  };

  it('lists what is known, in reading order', () => {
    const run = {
      operation: 'chat' as const,
      model: 'requested',
      ...times,
      figures: {
        model: 'answered',
        usage,
        finishReasons: ['stop', 'stop', 'length'],
        noResult: null,
      },
      cost: 0.0012,
    };
    expect(getFigures(run).map(({ label, value }) => `${label} ${value}`)).toEqual([
      'Model answered',
      'First token 500 ms',
      'Speed 50.0 tokens/s',
      'Input 1,200',
      'Output 200',
      'Reasoning 30',
      'Tokens 1,400',
      'Finish reason stop × 2, length',
      'Total time 4.50 s',
      'Est. cost $0.0012',
    ]);
  });

  it.each([
    ['speech', 'First byte'],
    ['image', 'First output'],
    ['completion', 'First token'],
  ] as const)('calls the first piece of output of %s "%s"', (operation, label) => {
    const run = { operation, model: 'requested', ...times, figures: null, cost: null };
    expect(getFigures(run)).toContainEqual(expect.objectContaining({ label, value: '500 ms' }));
  });

  it('invents nothing for a run that was cut before anything came', () => {
    const run = {
      ...times,
      operation: 'chat' as const,
      model: 'requested',
      figures: null,
      cost: null,
    };
    expect(getFigures({ ...run, startedAt: null, timings: null })).toMatchObject([
      { value: 'requested' },
    ]);
  });
});
