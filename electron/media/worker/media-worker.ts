/** Parses containers and decodes audio in a worker thread. */
import { rename, writeFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { encodePeaks } from '../../../shared/media-peaks.ts';
import type { MediaJob } from '../media-thread.ts';
import { measureFile } from './measure-file.ts';
import { readPeaks } from './peaks.ts';

parentPort?.on('message', (job: MediaJob) => {
  run(job).then(
    (result) => parentPort?.postMessage(result),
    (cause: unknown) =>
      // Throw outside the promise, because Node may be configured to ignore unhandled rejections.
      queueMicrotask(() => {
        throw cause;
      }),
  );
});

async function run(job: MediaJob) {
  if (job.kind === 'measure') return measureFile(job.path, job.type);
  const peaks = await readPeaks(job.path, job.type);
  if (peaks === null) return 'unsupported';
  // Write atomically, because readers open the file as soon as its name exists.
  await writeFile(`${job.peaksPath}.new`, encodePeaks(peaks), { mode: 0o600 });
  await rename(`${job.peaksPath}.new`, job.peaksPath);
  return 'kept';
}
