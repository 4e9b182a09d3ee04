import type { CapturedBlock } from './capture.worklet.ts';
import workletUrl from './capture.worklet.ts?worker&url';

export interface Capture {
  sampleRate: number;
  /** After the browser or the system held it; `onHeld` says whether it came. */
  resume(): void;
  /** Resolves when the last block has been handed over; then the microphone is free. */
  end(): Promise<void>;
}

export interface CaptureEvents {
  onBlock: (block: CapturedBlock) => void;
  /** The system mutes the sound, or resumes it. */
  onHeld: (held: boolean) => void;
}

/** An audio thread that does not answer is not waited for. */
const LAST_BLOCK_MS = 500;

/** Reads a microphone at the rate of the audio system, so that nothing is resampled. */
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
  // Silent; without a way to the speakers some browsers never run it.
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
      // Rejects once it is closed, should it be held until then.
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
