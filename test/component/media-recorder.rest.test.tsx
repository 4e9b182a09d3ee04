import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { useActivities } from '../../renderer/lib/panel-activity.ts';
import { getRecorder } from '../../renderer/media/capture/recorder.ts';
import { RecorderControls } from '../../renderer/media/capture/recorder-controls.tsx';
import { getMediaUrl, type Media } from '../../shared/media.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

afterEach(async () => {
  // A failed test can leave its recorder running.
  getRecorder('transcription').cancel();
  await getRecorder('transcription').stop();
  vi.restoreAllMocks();
  localStorage.clear();
});

/** Returns how many bytes of the current recording have reached the main process. */
async function handedOver(): Promise<number> {
  const ids: string[] = JSON.parse(localStorage.getItem('gatehouse.recordings') ?? '[]');
  const reader = (await fetch(getMediaUrl(ids[0] ?? ''))).body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return first?.value?.length ?? 0;
}

async function shownControls(onRecorded: (media: Media) => void = vi.fn()) {
  const screen = await render(<RecorderControls panel="transcription" onRecorded={onRecorded} />);
  const press = (name: string) => screen.getByRole('button', { name, exact: true }).click();
  return { screen, press };
}

describe('recording', () => {
  it('keeps a recording if the system never resumes the audio', async () => {
    const onRecorded = vi.fn<(media: Media) => void>();
    const { press } = await shownControls(onRecorded);
    await press('Record');
    await expect.poll(handedOver).toBeGreaterThan(20_000);
    await press('Pause');
    // Chromium rejects with this error if a suspended context is closed.
    const closed = new DOMException('It was closed.', 'InvalidStateError');
    const { resume } = AudioContext.prototype;
    // Replace the method directly, because a spy would handle the rejection.
    AudioContext.prototype.resume = () => Promise.reject(closed);
    onTestFinished(() => {
      AudioContext.prototype.resume = resume;
    });
    await press('Resume');
    await press('Stop recording');
    await expect.poll(() => onRecorded.mock.calls.length).toBe(1);
    expect(onRecorded.mock.lastCall?.[0]).toMatchObject({ kind: 'audio', complete: true });
  });

  it('requests unprocessed audio, or processed audio if that is turned on', async () => {
    const getUserMedia = vi.spyOn(navigator.mediaDevices, 'getUserMedia');
    const { screen, press } = await shownControls();
    await press('Record');
    await press('Stop recording');
    expect(getUserMedia.mock.lastCall?.[0]).toEqual({
      audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
    });
    await expect.element(screen.getByRole('button', { name: 'Record', exact: true })).toBeVisible();
    await press('Microphone settings');
    await screen.getByText('Audio processing').click();
    await screen.getByRole('switch', { name: 'Noise suppression' }).click();
    const microphones = screen.getByRole('combobox', { name: 'Microphone' });
    await expect
      .poll(() => microphones.element().querySelectorAll('option').length)
      .toBeGreaterThan(1);
    const chosen = microphones.element().querySelectorAll('option')[1];
    await microphones.selectOptions(chosen?.value ?? '');
    await userEvent.keyboard('{Escape}');
    await press('Record');
    await press('Stop recording');
    expect(getUserMedia.mock.lastCall?.[0]).toEqual({
      audio: {
        echoCancellation: false,
        noiseSuppression: true,
        autoGainControl: false,
        deviceId: { exact: chosen?.value },
      },
    });
  });

  it('continues in a hidden panel, and keeps the audio if the microphone disconnects', async () => {
    const original = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    const opened: MediaStream[] = [];
    vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockImplementation(async (wanted) => {
      const stream = await original(wanted);
      opened.push(stream);
      return stream;
    });
    const onRecorded = vi.fn<(media: Media) => void>();
    const { screen, press } = await shownControls(onRecorded);
    await press('Record');
    // Leaving the panel any earlier would cancel the start.
    await expect.poll(handedOver).toBeGreaterThan(20_000);
    await screen.rerender(<p>Another panel</p>);
    const before = await handedOver();
    await expect.poll(handedOver).toBeGreaterThan(before + 20_000);
    await expect
      .poll(() => useActivities.getState().transcription?.description)
      .toMatch(/^Recording \d+:\d\d$/);
    await screen.rerender(<RecorderControls panel="transcription" onRecorded={onRecorded} />);
    opened[0]?.getAudioTracks()[0]?.dispatchEvent(new Event('ended'));
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/was disconnected/);
    await expect.poll(() => onRecorded.mock.calls.length).toBe(1);
    expect(useActivities.getState().transcription).toBeUndefined();
  });

  it('shows that the browser is asking for permission, and stops on Cancel', async () => {
    let answer: (stream: MediaStream) => void = () => undefined;
    const original = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    const getUserMedia = vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockImplementation(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    vi.spyOn(navigator.permissions, 'query').mockResolvedValue(
      Object.assign(new EventTarget(), { state: 'prompt' }) as PermissionStatus,
    );
    const { screen, press } = await shownControls();
    await press('Record');
    await expect.element(screen.getByText('Allow the microphone in your browser')).toBeVisible();
    await press('Cancel');
    await expect.element(screen.getByRole('button', { name: 'Record', exact: true })).toBeEnabled();
    getUserMedia.mockRestore();
    const late = await original({ audio: true });
    answer(late);
    await expect.poll(() => late.active).toBe(false);
  });
});
