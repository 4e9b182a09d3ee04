/** Finds the audio and the waveform of a rendered player. */
import { expect } from 'vitest';

export function soundOf(container: Element): HTMLAudioElement {
  const sound = container.querySelector('audio');
  if (sound === null) throw new Error('There is no audio element.');
  return sound;
}

export function waveformOf(container: Element): ShadowRoot | null {
  const hosts = [...container.querySelectorAll('*')];
  return hosts.find(({ shadowRoot }) => shadowRoot !== null)?.shadowRoot ?? null;
}

/** Returns the tallest bar's share of the full height, or 0 for a plain line. */
export function tallestBar(container: Element): number {
  const canvas = waveformOf(container)?.querySelector('canvas');
  const context = canvas?.getContext('2d');
  if (!canvas || !context || canvas.width === 0 || canvas.height === 0) return 0;
  const { width, height } = canvas;
  const { data } = context.getImageData(0, 0, width, height);
  let tallest = 0;
  for (let x = 0; x < width; x += 1) {
    let filled = 0;
    for (let y = 0; y < height; y += 1) {
      if ((data[(y * width + x) * 4 + 3] ?? 0) > 0) filled += 1;
    }
    tallest = Math.max(tallest, filled / height);
  }
  return tallest;
}

/** Waits until the peaks have loaded and replaced the plain line. */
export async function expectDrawn(container: Element): Promise<void> {
  await expect.poll(() => tallestBar(container)).toBeGreaterThan(0.2);
}
