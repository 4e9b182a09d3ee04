import { expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { AudioPlayer } from '../../renderer/media/players/audio-player.tsx';
import { storedTone } from './media-fixtures.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

vi.mock('../../renderer/media/players/draw-waveform.ts', async (original) => ({
  ...(await original<object>()),
  drawWaveform: () => Promise.reject(new TypeError('Failed to fetch a part of the page')),
}));

it('shows a line and can seek if the waveform fails to load', async () => {
  const screen = await render(<AudioPlayer media={await storedTone(5)} title="Answer" />);
  const slider = screen.getByRole('slider');
  await expect.element(slider).toHaveAttribute('aria-valuetext', '0:00.0 of 0:05.0');
  await expect.poll(() => slider.element().querySelectorAll('span').length).toBe(1);
  await slider.click();
  await expect.element(slider).toHaveAttribute('aria-valuetext', '0:02.5 of 0:05.0');
});
