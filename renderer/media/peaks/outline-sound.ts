import type { PeakTable } from '../../../shared/media-peaks.ts';
import { PageFailure } from '../../lib/page-failure.ts';
import type { PeakWorkerAnswer } from './peak-worker.ts';

/** The outline of a sound that the browser can decode, made in a worker of its own. */
export function outlineSound(url: string, signal?: AbortSignal): Promise<PeakTable> {
  return new Promise<PeakTable>((resolve, reject) => {
    signal?.throwIfAborted();
    const worker = new Worker(new URL('./peak-worker.ts', import.meta.url), { type: 'module' });
    const end = () => {
      worker.terminate();
      signal?.removeEventListener('abort', onAbort);
    };
    const fail = (detail: string) => {
      end();
      reject(new PageFailure({ ...undecodable, detail }));
    };
    function onAbort(): void {
      end();
      reject(signal?.reason);
    }
    signal?.addEventListener('abort', onAbort);
    worker.addEventListener('error', (event) => fail(event.message));
    worker.addEventListener('message', ({ data }: MessageEvent<PeakWorkerAnswer>) => {
      if ('problem' in data) {
        fail(data.problem);
        return;
      }
      end();
      resolve(data.table);
    });
    worker.postMessage(url);
  });
}

const undecodable = {
  kind: 'file' as const,
  message: 'The waveform could not be drawn: the sound could not be decoded.',
  nextStep: 'Play it to hear whether it is damaged.',
  gateway: null,
};
