/** The playback and the drawn waveform of a rendered player. */
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

/** Height of the tallest bar in a stretch of the waveform, as a share of the whole height; 0 for a plain line. */
export function tallestBar(container: Element, from = 0, to = 1): number {
  const canvas = waveformOf(container)?.querySelector('canvas');
  const context = canvas?.getContext('2d');
  if (!canvas || !context || canvas.width === 0 || canvas.height === 0) return 0;
  const left = Math.floor(from * canvas.width);
  const width = Math.max(1, Math.floor((to - from) * canvas.width));
  const { data } = context.getImageData(left, 0, width, canvas.height);
  let tallest = 0;
  for (let x = 0; x < width; x += 1) {
    let filled = 0;
    for (let y = 0; y < canvas.height; y += 1) {
      if ((data[(y * width + x) * 4 + 3] ?? 0) > 0) filled += 1;
    }
    tallest = Math.max(tallest, filled / canvas.height);
  }
  return tallest;
}

/** Peaks have come: more is drawn than the line without them. What draws is loaded first. */
export async function expectDrawn(container: Element): Promise<void> {
  await expect.poll(() => tallestBar(container)).toBeGreaterThan(0.2);
}
