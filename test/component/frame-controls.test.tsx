import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { FrameControls } from '../../renderer/media/players/frame-controls.tsx';
import { medium } from '../fixtures/medium.ts';

it('steps through frames by button and key, and sets the speed', async () => {
  const player = document.createElement('video');
  Object.defineProperty(player, 'duration', { value: 2 });
  player.tabIndex = 0;
  document.body.append(player);
  const media = medium({ kind: 'video', type: 'video/mp4', frameRate: 25 });
  const screen = await render(<FrameControls player={{ current: player }} media={media} />);
  const frame = screen.getByRole('status', { name: 'Frame' });
  const showFrame = () => player.dispatchEvent(new Event('seeked'));
  await screen.getByRole('button', { name: 'Next frame' }).click();
  expect(player.currentTime).toBeCloseTo(1.5 / 25);
  showFrame();
  await expect.element(frame).toHaveTextContent('Frame 2');
  player.focus();
  await userEvent.keyboard('..,');
  expect(player.currentTime).toBeCloseTo(2.5 / 25);
  showFrame();
  await expect.element(frame).toHaveTextContent('Frame 3');
  await screen.getByRole('combobox', { name: 'Speed' }).selectOptions('0.25×');
  expect(player.playbackRate).toBe(0.25);
  player.remove();
});
