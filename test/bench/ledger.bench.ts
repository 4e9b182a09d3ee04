import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from '@playwright/test';
import { z } from 'zod';
import { openStorage } from '../../electron/storage/database.ts';
import { note } from './harness/figures.ts';
import { fillLedger } from './harness/fill-ledger.ts';
import { interleave, ratios } from './harness/rounds.ts';
import { runMeasure } from './harness/run-measure.ts';

const sampleSchema = z.object({
  ...{ startMs: z.number(), listMs: z.number(), searchMs: z.number() },
  ...{ listed: z.int(), found: z.int() },
});
type Sample = z.infer<typeof sampleSchema>;

const test = base.extend<{ folderOf: (runs: number) => Promise<string> }>({
  folderOf: async ({}, use) => {
    const folders: string[] = [];
    await use(async (runs) => {
      const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
      folders.push(home);
      const storage = openStorage({ home, now: Date.now });
      fillLedger(storage, runs);
      await storage.close();
      return home;
    });
    for (const folder of folders) rmSync(folder, { recursive: true });
  },
});

test('a ledger of 0, 20,000 and 100,000 runs', async ({ folderOf }, testInfo) => {
  const measured = async (runs: number) => {
    const folder = await folderOf(runs);
    return async () => {
      const sample = await runMeasure('full-ledger', sampleSchema, [folder]);
      expect(sample).toMatchObject({ listed: Math.min(runs, 100), found: Math.min(runs, 100) });
      return sample;
    };
  };
  const { none, some, many } = await interleave({
    none: await measured(0),
    some: await measured(20_000),
    many: await measured(100_000),
  });
  const of = (samples: readonly Sample[], figure: 'startMs' | 'listMs' | 'searchMs') =>
    samples.map((sample) => sample[figure]);
  for (const [runs, samples] of [
    ['20,000', some],
    ['100,000', many],
  ] as const) {
    const starts = ratios(of(samples, 'startMs'), of(none, 'startMs'));
    note(testInfo, `Start with ${runs} runs, beside none`, starts, '×');
    note(testInfo, `The first list of ${runs} runs`, of(samples, 'listMs'), 'ms');
    note(testInfo, `A search in ${runs} runs`, of(samples, 'searchMs'), 'ms', {
      atMost: 60,
    });
  }
  note(testInfo, 'Start of the services with 100,000 runs', of(many, 'startMs'), 'ms');
});
