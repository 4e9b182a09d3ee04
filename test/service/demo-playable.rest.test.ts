import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumArgs, findChromium } from '../scripts/chromium.ts';
import { type Client, KEY, readJson, startWithClient } from './demo-gateway-client.ts';

const executablePath = findChromium();
let client: Client;
let browser: Browser;
beforeAll(async () => {
  client = await startWithClient({ videoSeconds: 0 });
  browser = await chromium.launch({
    args: [...chromiumArgs],
    timeout: 100_000,
    ...(executablePath !== null && { executablePath }),
  });
});
afterAll(async () => {
  await browser?.close();
  await client.gateway.close();
});

/** Plays a file of the gateway. A player can't send the key itself. */
async function play(path: string) {
  const page = await browser.newPage({
    extraHTTPHeaders: { authorization: `Bearer ${KEY}` },
  });
  try {
    await page.goto(`${client.gateway.baseUrl}/v1/models`);
    return await page.evaluate(async (source) => {
      const video = document.createElement('video');
      const next = (event: string) =>
        new Promise<void>((resolve, reject) => {
          video.addEventListener(event, () => resolve(), { once: true });
          video.addEventListener('error', () => reject(new Error(video.error?.message)), {
            once: true,
          });
        });
      video.muted = true;
      video.src = source;
      await next('loadeddata');
      const { videoWidth, videoHeight, duration } = video;
      video.currentTime = duration / 2;
      await next('seeked');
      const seekedTo = video.currentTime;
      video.playbackRate = 8;
      await Promise.all([next('ended'), video.play()]);
      return { videoWidth, videoHeight, duration, seekedTo, endedAt: video.currentTime };
    }, path);
  } finally {
    await page.close();
  }
}

describe('in Chromium', () => {
  it.each([
    [320, 240, 2, 12],
    [646, 362, 1, 30],
    [180, 320, 3, 10],
  ])('plays a video of %s × %s pixels for its %s seconds', async (width, height, duration, fps) => {
    const { task_id: id } = await readJson(
      await client.post('/v1/video/generations', {
        model: 'demo-video',
        prompt: 'A boat at night',
        width,
        height,
        duration,
        fps,
      }),
    );
    const path = `/v1/video/generations/${id}`;
    await expect
      .poll(async () => (await readJson(await client.get(path))).status)
      .toBe('completed');
    const played = await play(`${path}/content`);
    expect([played.videoWidth, played.videoHeight]).toEqual([width, height]);
    expect(played.duration).toBeCloseTo(duration, 1);
    expect(played.seekedTo).toBeCloseTo(duration / 2, 1);
    expect(played.endedAt).toBeCloseTo(duration, 1);
  });
});
