import type { Media } from '../../../shared/media.ts';
import { createWavHeader } from '../../../shared/wav.ts';
import { PageError } from '../../lib/page-failure.ts';
import { createMediaError } from '../uploads/media-filter.ts';
import { startMediaUpload } from '../uploads/upload-recording.ts';
import type { CapturedBlock } from './capture.worklet.ts';
import workletUrl from './capture.worklet.ts?worker&url';

export interface RecordingEvents {
  /** Levels are from 0 to 1 and are also reported while paused. */
  onLevel: (peak: number) => void;
  onSeconds: (seconds: number) => void;
  onHeld: (held: boolean) => void;
  /** Called if the main process rejects new data; data that arrived earlier is kept. */
  onRefused: (error: unknown) => void;
}

export interface Recording {
  pause(): void;
  resume(): void;
  /** Sends buffered samples immediately, because the page may be closing. */
  flush(): void;
  /** Rejects with a `PageError` if nothing was recorded. */
  finish(): Promise<Media>;
  discard(): Promise<void>;
}

/** The maximum audio that closing the page can lose. */
const SLICE_SECONDS = 0.25;

/** Takes ownership of the stream and uploads its audio in slices. */
export async function startRecording(
  stream: MediaStream,
  { onLevel, onSeconds, onHeld, onRefused }: RecordingEvents,
): Promise<Recording> {
  let paused = false;
  let frames = 0;
  let waiting: Int16Array<ArrayBuffer>[] = [];
  let waitingFrames = 0;
  let refused = false;
  let capture: Capture | null = null;

  const upload = await startMediaUpload({
    name: formatRecordingName(new Date()),
    type: 'audio/wav',
  });

  function send(bytes: ArrayBuffer): void {
    upload.write(bytes).catch((error: unknown) => {
      if (!refused) onRefused(error);
      refused = true;
    });
  }

  function flush(): void {
    if (waitingFrames === 0 || refused) return;
    const slice = new Int16Array(waitingFrames);
    let at = 0;
    for (const block of waiting) {
      slice.set(block, at);
      at += block.length;
    }
    waiting = [];
    waitingFrames = 0;
    send(slice.buffer);
  }

  try {
    capture = await openCapture(stream, {
      onHeld(held) {
        onHeld(held);
        if (held) capture?.resume();
      },
      onBlock({ samples, peak }) {
        onLevel(peak);
        if (paused || capture === null) return;
        waiting.push(samples);
        waitingFrames += samples.length;
        frames += samples.length;
        onSeconds(frames / capture.sampleRate);
        if (waitingFrames >= capture.sampleRate * SLICE_SECONDS) flush();
      },
    });
  } catch (cause) {
    for (const track of stream.getTracks()) track.stop();
    await upload.abort();
    throw cause;
  }
  const { sampleRate, end } = capture;
  send(createWavHeader({ sampleRate, channels: 1 }, null).buffer);

  return {
    flush,
    pause() {
      paused = true;
      flush();
    },
    resume() {
      paused = false;
      capture?.resume();
    },
    async finish() {
      await end();
      flush();
      if (frames > 0) return upload.finish();
      await upload.abort();
      throw new PageError(silence);
    },
    async discard() {
      await end();
      await upload.abort();
    },
  };
}

const silence = createMediaError(
  'Nothing was recorded.',
  'Check that the microphone is on, then record again.',
);

export interface Capture {
  sampleRate: number;
  /** Resumes audio that the browser or system suspended. */
  resume(): void;
  /** Resolves after the last block, once the microphone is released. */
  end(): Promise<void>;
}

export interface CaptureEvents {
  onBlock: (block: CapturedBlock) => void;
  /** Called when the system mutes or unmutes the audio. */
  onHeld: (held: boolean) => void;
}

/** Limits the wait for the audio thread. */
const LAST_BLOCK_MS = 500;

/** Captures at the audio system's rate, which avoids resampling. */
export async function openCapture(
  stream: MediaStream,
  { onBlock, onHeld }: CaptureEvents,
): Promise<Capture> {
  const context = new AudioContext();
  try {
    await context.audioWorklet.addModule(workletUrl);
    await context.resume();
  } catch (cause) {
    await context.close();
    throw cause;
  }
  const source = context.createMediaStreamSource(stream);
  const node = new AudioWorkletNode(context, 'capture', { outputChannelCount: [1] });
  // The node is silent, but some browsers only run nodes with a destination.
  source.connect(node).connect(context.destination);

  let onLast: () => void = () => undefined;
  node.port.onmessage = ({ data }: MessageEvent<CapturedBlock>) => {
    onBlock(data);
    if (data.last) onLast();
  };
  context.onstatechange = () => {
    if (context.state !== 'closed') onHeld(context.state !== 'running');
  };

  return {
    sampleRate: context.sampleRate,
    resume() {
      // `resume` rejects if the context closes while suspended.
      context.resume().catch(() => undefined);
    },
    async end() {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LAST_BLOCK_MS);
        onLast = () => {
          clearTimeout(timer);
          resolve();
        };
        node.port.postMessage('flush');
      });
      context.onstatechange = null;
      for (const track of stream.getTracks()) track.stop();
      source.disconnect();
      await context.close();
    },
  };
}

/** Returns a file name in local time, such as `Recording 2026-11-21 14.03.12.wav`. */
export function formatRecordingName(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = `${two(at.getHours())}.${two(at.getMinutes())}.${two(at.getSeconds())}`;
  return `Recording ${day} ${time}.wav`;
}
