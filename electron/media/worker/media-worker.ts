/** A thread for what would hold up main: reading containers, decoding sound. It never imports Electron. */
import { rename, writeFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { encodePeaks, type PeakTable } from '../../../shared/media-peaks.ts';
import { withFile } from '../read-at.ts';
import type { JobAnswer, JobMessage, MediaJob } from './jobs.ts';
import { measureFile } from './measure-file.ts';
import { readMp3Peaks } from './mp3-peaks.ts';
import { readWavPeaks } from './wav-peaks.ts';

parentPort?.on('message', ({ id, job }: JobMessage) => {
  run(job).then(
    (result) => answer({ id, ok: true, result }),
    (cause: unknown) => answer({ id, ok: false, message: String(cause) }),
  );
});

function answer(message: JobAnswer): void {
  parentPort?.postMessage(message);
}

async function run(job: MediaJob) {
  if (job.kind === 'measure') return measureFile(job.path, job.type);
  const peaks = await readPeaks(job.path, job.type);
  if (peaks === null) return 'unsupported';
  // Whole or not at all: it is read as soon as it has its name.
  await writeFile(`${job.peaksPath}.new`, encodePeaks(peaks), { mode: 0o600 });
  await rename(`${job.peaksPath}.new`, job.peaksPath);
  return 'kept';
}

function readPeaks(path: string, type: string): Promise<PeakTable | null> {
  return withFile(path, async (file) => {
    if (type === 'audio/wav') return readWavPeaks(file, (await file.stat()).size);
    if (type === 'audio/mpeg') return readMp3Peaks(file);
    return null;
  });
}
