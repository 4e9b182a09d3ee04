import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { z } from 'zod';
import { expectAtLeast, expectAtMost, percentile } from './figures.ts';

const times = z.array(z.number());
const load = z.object({ p99Ms: z.number(), cpuMs: z.number() });
const figuresSchema = z.object({
  speed: z.object({ hand: times, ours: times, keptBytesPerToken: z.number() }),
  many: z.object({ hand: load, ours: load }),
  writtenBytesPerToken: z.number().nullable(),
  memory: z.object({ keptBytes: z.number() }),
});

// biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are used
test('a stream from the socket to the ledger', async ({}, testInfo) => {
  test.setTimeout(300_000);
  const script = join(import.meta.dirname, 'measure-wire.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script]);
  const { speed, many, writtenBytesPerToken, memory } = figuresSchema.parse(JSON.parse(stdout));

  const ratios = speed.ours.map((ms, round) => (speed.hand[round] ?? Number.NaN) / ms);
  console.log(`ratios of the rounds: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`);
  expectAtLeast(testInfo, 'speed beside a loop written by hand', percentile(ratios, 50), 0.5, '×');
  expectAtMost(testInfo, 'kept on disk for a token', speed.keptBytesPerToken, 100, 'bytes');
  expectAtMost(testInfo, 'delay of 200 streams, p99', many.ours.p99Ms, 20);
  console.log(
    `CPU of 200 streams: ${many.ours.cpuMs.toFixed(0)} ms, by hand ${many.hand.cpuMs.toFixed(0)} ms`,
  );
  if (writtenBytesPerToken !== null) {
    expectAtMost(
      testInfo,
      'written for a token at 50 a second',
      writtenBytesPerToken,
      400,
      'bytes',
    );
  }
  expectAtMost(testInfo, 'kept in memory of 500,000 tokens', memory.keptBytes / 1e6, 2, 'MB');
  expect(ratios).toHaveLength(7);
});
