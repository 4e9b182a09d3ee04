import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { test as base } from '../e2e/fixtures/app.ts';
import type { BrowserHostProcess } from '../e2e/fixtures/browser-host-process.ts';
import { openAddress } from '../e2e/fixtures/chat-page.ts';
import { openBenchPage } from './harness/bench-page.ts';
import { note } from './harness/figures.ts';
import { writeHour } from './harness/hour-of-sound.ts';
import { browserPids, watchMemory } from './harness/process-memory.ts';
import { interleave, ratios } from './harness/rounds.ts';
import { openBenchHome } from './measure/bench-home.ts';

declare global {
  interface Window {
    drawSound(url: string): Promise<{ ms: number; seconds: number }>;
  }
}

const HOUR_SECONDS = 3600;

interface Sample {
  ms: number;
  bytes: number | null;
}

const test = base.extend<{ sounds: string; soundHost: BrowserHostProcess }>({
  sounds: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sounds-'));
    await use(folder);
    rmSync(folder, { recursive: true });
  },
  /** Starts the host in a separate process, so that the benchmark can measure its memory. */
  soundHost: async ({ home, sounds, startHost }, use) => {
    const { services } = await openBenchHome('http://127.0.0.1:9', home);
    for (const format of ['wav', 'mp3'] as const) {
      const path = join(sounds, `hour.${format}`);
      await writeHour(path, format);
      const declaredType = format === 'wav' ? 'audio/wav' : 'audio/mpeg';
      const writer = services.media.begin({ name: `hour.${format}`, declaredType, role: 'upload' });
      await writer.write(readFileSync(path));
      await writer.finish();
    }
    await services.close();
    await use(await startHost({ home }));
  },
});

/** Returns the milliseconds from mounting the player until the first waveform bars appear. */
async function showSound(app: Page, name: string): Promise<number> {
  await app.reload();
  const shown = await app.evaluateHandle(() => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const hasBars = () => {
      const hosts = [...document.querySelectorAll('*')].map(({ shadowRoot }) => shadowRoot);
      const canvas = hosts.find((root) => root !== null)?.querySelector('canvas');
      const context = canvas?.getContext('2d');
      if (!canvas || !context || canvas.width === 0 || canvas.height < 8) return false;
      // Skip the center line, which is drawn before the peaks are known.
      const { data } = context.getImageData(0, canvas.height / 4, canvas.width, 1);
      return data.some((value) => value > 0);
    };
    const measure = async () => {
      while (document.querySelector('audio') === null) await frame();
      const startedAt = performance.now();
      while (!hasBars()) await frame();
      return performance.now() - startedAt;
    };
    return { ms: measure() };
  });
  await app.getByRole('button', { name: `Show ${name}` }).click();
  return shown.evaluate(({ ms }) => ms);
}

for (const format of ['wav', 'mp3'] as const) {
  test(`draws the waveform of an hour of ${format}`, async ({
    sounds,
    soundHost,
    home,
    chromiumProcess,
  }, testInfo) => {
    if (chromiumProcess === null) throw new Error('A waveform needs a browser.');
    const { page, folder, close } = await openBenchPage(chromiumProcess, 'wavesurfer-page.js');
    symlinkSync(join(sounds, `hour.${format}`), join(folder, `hour.${format}`));
    const app = await chromiumProcess.newPage({ viewport: { width: 1360, height: 860 } });
    await openAddress(app, soundHost.address);
    await app.getByRole('link', { name: 'Library', exact: true }).click();
    const forget = () => {
      const media = join(home, 'media');
      for (const name of readdirSync(media)) {
        if (name.endsWith('.peaks')) rmSync(join(media, name));
      }
    };
    const measured = (work: () => Promise<number>) => async (): Promise<Sample> => {
      const memory = watchMemory([soundHost.pid, ...(await browserPids(chromiumProcess))]);
      const ms = await work();
      return { ms, bytes: memory() };
    };
    // Load the drawing code, and cache the peaks in case `cached` runs first.
    await showSound(app, `hour.${format}`);
    const { first, cached, wavesurfer } = await interleave({
      first: measured(() => {
        forget();
        return showSound(app, `hour.${format}`);
      }),
      cached: measured(() => showSound(app, `hour.${format}`)),
      wavesurfer: measured(async () => {
        await page.reload();
        const { ms, seconds } = await page.evaluate(
          (url) => window.drawSound(url),
          `hour.${format}`,
        );
        expect(Math.abs(seconds - HOUR_SECONDS)).toBeLessThan(60);
        return ms;
      }),
    });
    await close();
    await app.close();

    const ms = (of: readonly Sample[]) => of.map((sample) => sample.ms);
    const bytes = (of: readonly Sample[]) => of.flatMap((sample) => sample.bytes ?? []);
    const what = `An hour of ${format.toUpperCase()}`;
    const firstMs = ratios(ms(first), ms(wavesurfer));
    const cachedMs = ratios(ms(cached), ms(wavesurfer));
    note(testInfo, `${what}, wavesurfer's own way`, ms(wavesurfer), 'ms');
    note(testInfo, `${what}, first, beside it`, firstMs, '×', { atMost: 1.3 });
    note(testInfo, `${what}, cached, beside it`, cachedMs, '×', { atMost: 0.02 });
    note(testInfo, `${what}, cached`, ms(cached), 'ms');
    if (bytes(wavesurfer).length === 0) return;
    const megabytes = bytes(wavesurfer).map((value) => value / 1e6);
    note(testInfo, `${what}, wavesurfer's own way: memory`, megabytes, 'MB');
    const firstShare = ratios(bytes(first), bytes(wavesurfer));
    note(testInfo, `${what}, first, memory beside it`, firstShare, '×', { atMost: 0.15 });
    const cachedShare = ratios(bytes(cached), bytes(wavesurfer));
    note(testInfo, `${what}, cached, memory beside it`, cachedShare, '×', { atMost: 0.02 });
  });
}
