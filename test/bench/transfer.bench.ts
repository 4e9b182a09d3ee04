import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { z } from 'zod';
import { wav } from '../fixtures/sounds.ts';
import { note } from './harness/figures.ts';
import { interleave, ratios } from './harness/rounds.ts';
import { runMeasure } from './harness/run-measure.ts';
import { openBenchHome, startGateway } from './measure/bench-home.ts';

const SMALL = 200_000_000;
const LARGE = 800_000_000;
const PIECE = Buffer.alloc(1_000_000);

const sampleSchema = z.object({
  ms: z.number(),
  startBytes: z.number(),
  growth: z.number().nullable(),
});
type Sample = z.infer<typeof sampleSchema>;

const test = base.extend<{ folder: string }>({
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-transfer-'));
    const { services } = await openBenchHome('http://127.0.0.1:9', join(folder, 'home'));
    for (const size of [SMALL, LARGE]) {
      const declaredType = 'audio/wav';
      const writer = services.media.begin({ name: `${size}.wav`, declaredType, role: 'upload' });
      const head = wav({ seconds: 0, claimedBytes: size - 44 });
      await writer.write(head);
      for (let left = size - head.length; left > 0; left -= PIECE.length) {
        await writer.write(PIECE.subarray(0, Math.min(left, PIECE.length)));
      }
      await writer.finish();
    }
    await services.close();
    await use(folder);
    rmSync(folder, { recursive: true });
  },
});

for (const direction of ['upload', 'download'] as const) {
  test(`compares a ${direction} of 800 MB with a plain pipe`, async ({ folder }, testInfo) => {
    const { origin, thread } = await startGateway('files');
    const moved = (who: 'ours' | 'pipe', bytes: number) => () =>
      runMeasure('transfer', sampleSchema, [direction, who, String(bytes), origin, folder]);
    const samples = await interleave({
      ours: moved('ours', LARGE),
      small: moved('ours', SMALL),
      pipe: moved('pipe', LARGE),
    });
    await thread.terminate();
    const what = direction === 'upload' ? 'Upload' : 'Download';
    const ms = (of: readonly Sample[]) => of.map((sample) => sample.ms);
    const beside = ratios(ms(samples.ours), ms(samples.pipe));
    note(testInfo, `${what} of 800 MB, beside a pipe`, beside, '×', { atMost: 1.25 });
    note(testInfo, `${what} of 800 MB`, ms(samples.ours), 'ms');
    // Add the growth to the same baseline, the memory of a bare process.
    const memory = (of: readonly Sample[]) =>
      of.flatMap(({ growth }, round) =>
        growth === null ? [] : [(samples.pipe[round]?.startBytes ?? 0) + growth],
      );
    if (memory(samples.ours).length === 0) return;
    const besidePipe = ratios(memory(samples.ours), memory(samples.pipe));
    note(testInfo, `${what} of 800 MB, memory beside a pipe`, besidePipe, '×', { atMost: 1.25 });
    const besideSmall = ratios(memory(samples.ours), memory(samples.small));
    note(testInfo, `${what} of 800 MB, memory beside 200 MB`, besideSmall, '×', { atMost: 1.2 });
  });
}
