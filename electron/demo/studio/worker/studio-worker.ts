/** A thread for the jobs of the demo gateway, one after the other: drawing, filming, speaking, measuring. */
import { parentPort } from 'node:worker_threads';
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
      const { renderVideo } = await import('./shoot-film.ts');
      yield await renderVideo(job.plan);
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

/** Its parts, then null; where it fails, the thread ends with the reason. */
async function work(job: StudioJob): Promise<void> {
  for await (const part of perform(job)) parentPort?.postMessage(part);
  parentPort?.postMessage(null);
}

parentPort?.on('message', (job: StudioJob) => {
  work(job).catch((cause: unknown) => {
    // Thrown where nothing can catch it: a rejection may be set to end no thread.
    queueMicrotask(() => {
      throw cause;
    });
  });
});
