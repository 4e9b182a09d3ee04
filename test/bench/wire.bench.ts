import { test } from '@playwright/test';
import { z } from 'zod';
import { note } from './harness/figures.ts';
import { ratios } from './harness/rounds.ts';
import { runMeasure } from './harness/run-measure.ts';

const times = z.array(z.number());
const loads = z.array(z.object({ p99Ms: z.number(), cpuMs: z.number() }));
const figuresSchema = z.object({
  speed: z.object({
    hand: times,
    openai: times,
    aiSdk: times,
    ours: times,
    cpuMs: times,
    keptBytesPerToken: z.number(),
  }),
  many: z.object({ hand: loads, openai: loads, ours: loads }),
  writtenBytesPerToken: times,
  laterWrittenBytesPerToken: times,
  keptHeapBytes: z.number(),
});

test('streams from the socket to the ledger', async ({}, testInfo) => {
  const { speed, many, writtenBytesPerToken, laterWrittenBytesPerToken, keptHeapBytes } =
    await runMeasure('wire', figuresSchema);

  const { hand, openai, aiSdk, ours } = speed;
  const speedOf = 'Speed of 50,000 tokens';
  const byHand = ratios(hand, ours);
  note(testInfo, `${speedOf}, folded and kept, beside a loop by hand`, byHand, '×', {
    atLeast: 0.5,
  });
  note(testInfo, `${speedOf}, beside the openai SDK`, ratios(openai, ours), '×', { atLeast: 2 });
  note(testInfo, `${speedOf}, beside the AI SDK`, ratios(aiSdk, ours), '×');
  note(testInfo, '50,000 tokens: CPU of the main thread', speed.cpuMs, 'ms', { atMost: 300 });
  note(testInfo, 'The openai SDK beside a loop by hand', ratios(hand, openai), '×');
  note(testInfo, 'The AI SDK beside a loop by hand', ratios(hand, aiSdk), '×');

  const delays = (of: keyof typeof many) => many[of].map(({ p99Ms }) => p99Ms);
  const cpu = (of: keyof typeof many) => many[of].map(({ cpuMs }) => cpuMs);
  const streams = '200 streams at 100 tokens a second';
  note(testInfo, `${streams}: delay of main, p99`, delays('ours'), 'ms');
  const besideSdk = ratios(delays('ours'), delays('openai'));
  note(testInfo, `${streams}: the same beside the openai SDK`, besideSdk, '×', { atMost: 1 });
  note(testInfo, `${streams}: the same with the openai SDK`, delays('openai'), 'ms');
  note(testInfo, `${streams}: the same by hand`, delays('hand'), 'ms');
  const cpuShare = ratios(cpu('ours'), cpu('openai'));
  note(testInfo, `${streams}: CPU beside the openai SDK`, cpuShare, '×', { atMost: 1 });
  note(testInfo, `${streams}: CPU beside a loop by hand`, ratios(cpu('ours'), cpu('hand')), '×');

  note(testInfo, 'Kept on disk for a token', speed.keptBytesPerToken, 'bytes', { atMost: 100 });
  // Not every system reports how many bytes a process wrote.
  if (writtenBytesPerToken.length > 0) {
    const written = 'Written for a token at 50 a second';
    note(testInfo, written, writtenBytesPerToken, 'bytes', { atMost: 400 });
    // The goal applies only to a new folder, because a used one has deeper indexes.
    const later = `${written}, after 1,000 other runs`;
    note(testInfo, later, laterWrittenBytesPerToken, 'bytes');
  }
  note(testInfo, 'Kept in memory of 500,000 tokens', keptHeapBytes / 1e6, 'MB', { atMost: 2 });
});
