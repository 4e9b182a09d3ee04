import { expect, it, onTestFinished } from 'vitest';
import { startMediaUpload } from '../../renderer/media/uploads/upload-recording.ts';
import { mediaUrl } from '../../shared/media.ts';
import { wavHeader } from '../../shared/wav.ts';
import { tone } from './media-fixtures.ts';

const STEREO_RATE = 48_000;

/** Silent frames of 320 kbit/s: 26 ms and 1,044 bytes each. */
function mp3(seconds: number): Uint8Array<ArrayBuffer> {
  const count = Math.round((seconds * 44_100) / 1152);
  const bytes = new Uint8Array(count * 1044);
  for (let frame = 0; frame < count; frame += 1) bytes.set([0xff, 0xfb, 0xe0, 0], frame * 1044);
  return bytes;
}

const wav = wavHeader({ sampleRate: STEREO_RATE, channels: 2 }, null);

// Large enough that Chromium has not read all of it when it seeks: it then asks for a range without an end.
it.each([
  ['WAV', 'audio/wav', wav, 20, (seconds: number) => tone(2 * seconds, STEREO_RATE)],
  ['MP3', 'audio/mpeg', mp3(0), 95, mp3],
] as const)(
  'plays a growing %s past the end it had when the user seeked',
  async (name, type, head, sliceSeconds, sliceOf) => {
    const upload = await startMediaUpload({ name, type });
    if (head.length > 0) await upload.write(head.buffer);
    const slice = sliceOf(sliceSeconds);
    for (let count = 0; count < 8; count += 1) await upload.write(slice.buffer);
    const thereSeconds = 8 * sliceSeconds;
    const sound = document.createElement('audio');
    onTestFinished(() => sound.removeAttribute('src'));
    sound.muted = true;
    sound.src = mediaUrl(upload.id);
    await sound.play();
    const playFrom = async (seconds: number) => {
      sound.currentTime = seconds;
      await expect.poll(() => sound.currentTime).toBeGreaterThan(seconds + 0.2);
    };
    await playFrom(thereSeconds - 3);
    await playFrom(1);
    await playFrom(thereSeconds - 3);
    await upload.write(slice.buffer);
    sound.playbackRate = 4;
    await expect.poll(() => sound.currentTime).toBeGreaterThan(thereSeconds + 1);
    expect([sound.ended, sound.duration]).toEqual([false, Number.POSITIVE_INFINITY]);
    await playFrom(thereSeconds + sliceSeconds - 3);
    await upload.finish();
    await expect.poll(() => sound.ended).toBe(true);
    expect(sound.duration).toBeCloseTo(thereSeconds + sliceSeconds, 0);
  },
);
