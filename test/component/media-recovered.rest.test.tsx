import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { RecorderControls } from '../../renderer/media/capture/recorder-controls.tsx';
import { beginUpload, sendSlice } from '../../renderer/media/uploads/upload-media.ts';
import { recoverRecordings } from '../../renderer/media/uploads/upload-recording.ts';
import { createWavHeader } from '../../shared/wav.ts';
import { RATE, tone } from './media-fixtures.ts';

/** Stops the wait for a closing page. */
let giveUp: () => void = () => undefined;

beforeEach(() => {
  const wait = new AbortController();
  giveUp = () => wait.abort();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(wait.signal);
});
afterEach(() => vi.restoreAllMocks());

/** Stores two seconds of audio, and holds the lock that a recording page keeps until it closes. */
async function leaveRecording(name: string): Promise<{ id: string; letGo: () => void }> {
  const id = await beginUpload({ name, type: 'audio/wav', role: 'recording' });
  const header = createWavHeader({ sampleRate: RATE, channels: 1 }, null);
  await sendSlice(id, tone(2).buffer, await sendSlice(id, header.buffer, 0));
  localStorage.setItem('gatehouse.recordings', JSON.stringify([id]));
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  void navigator.locks.request(lockOf(id), () => promise);
  return { id, letGo };
}

async function isAwaited(id: string): Promise<void> {
  await expect
    .poll(async () => (await navigator.locks.query()).pending?.map(({ name }) => name))
    .toEqual([lockOf(id)]);
}

const lockOf = (id: string) => `gatehouse.recording.${id}`;

it('offers to recover the recording of a closed page', async () => {
  const { id, letGo } = await leaveRecording('Lost.wav');
  const onRecorded = vi.fn();
  const screen = await render(<RecorderControls panel="transcription" onRecorded={onRecorded} />);
  // The previous page may release its lock after this page has started to look for recordings.
  await isAwaited(id);
  letGo();
  const recovered = screen.getByRole('region', { name: 'Recovered recordings' });
  await expect.element(recovered.getByText('Lost.wav')).toBeVisible();
  await recovered.getByRole('button', { name: 'Remove Lost.wav' }).click();
  await expect.element(recovered).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await recovered.getByRole('button', { name: 'Use recording' }).click();
  expect(onRecorded.mock.lastCall?.[0]).toMatchObject({ id, complete: true, durationSeconds: 2 });
  await expect.element(recovered).not.toBeInTheDocument();
});

it('ignores a recording that continues in another tab', async () => {
  const { id } = await leaveRecording('Elsewhere.wav');
  const recovering = recoverRecordings();
  await isAwaited(id);
  giveUp();
  expect(await recovering).toEqual([]);
});
