import { expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { RecorderControls } from '../../renderer/media/capture/recorder-controls.tsx';
import { beginUpload, sendSlice } from '../../renderer/media/uploads/upload-media.ts';
import { wavHeader } from '../../shared/wav.ts';
import { RATE, tone } from './media-fixtures.ts';

it('offers what was being recorded when an earlier page went away', async () => {
  const id = await beginUpload({ name: 'Lost.wav', type: 'audio/wav', role: 'recording' });
  const header = wavHeader({ sampleRate: RATE, channels: 1 }, null);
  await sendSlice(id, tone(2).buffer, await sendSlice(id, header.buffer, 0));
  localStorage.setItem('gatehouse.recordings', JSON.stringify([id]));

  const onRecorded = vi.fn();
  const screen = await render(<RecorderControls panel="transcription" onRecorded={onRecorded} />);
  const recovered = screen.getByRole('region', { name: 'Recovered recordings' });
  await expect.element(recovered.getByText('Lost.wav')).toBeVisible();
  // One click too many loses nothing.
  await recovered.getByRole('button', { name: 'Remove Lost.wav' }).click();
  await expect.element(recovered).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await recovered.getByRole('button', { name: 'Use recording' }).click();
  expect(onRecorded.mock.lastCall?.[0]).toMatchObject({ id, complete: true, durationSeconds: 2 });
  await expect.element(recovered).not.toBeInTheDocument();
});
