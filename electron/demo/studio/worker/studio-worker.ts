/** A thread for one job of the demo gateway: drawing, filming, speaking, measuring. */
import { parentPort, workerData } from 'node:worker_threads';
import type { StudioJob, StudioParts } from './jobs.ts';

/** Each job loads only what it needs. */
async function* perform(job: StudioJob): AsyncGenerator<StudioParts[StudioJob['kind']]> {
  switch (job.kind) {
    case 'picture': {
      const { drawPicture } = await import('./draw-picture.ts');
      yield drawPicture(job.plan, job.style);
      break;
    }
    case 'film': {
      const { shootFilm } = await import('./shoot-film.ts');
      yield await shootFilm(job.plan);
      break;
    }
    case 'speech': {
      const { speak } = await import('./speak.ts');
      yield* speak(job.plan);
      break;
    }
    case 'measure': {
      const { measureContainer } = await import('../../../media/worker/measure-file.ts');
      yield await measureContainer(job.path, job.type);
      break;
    }
  }
}

for await (const part of perform(workerData as StudioJob)) parentPort?.postMessage(part);
// Codecs keep threads of their own, which would keep this one.
parentPort?.postMessage(null);
