/** Runs the demo gateway's jobs in a worker thread: images, videos, speech and measurements. */
import { parentPort } from 'node:worker_threads';
import type { StudioJob, StudioParts } from '../studio.ts';

/** Each job loads only the modules it needs. */
async function* perform(job: StudioJob): AsyncGenerator<StudioParts[StudioJob['kind']]> {
  switch (job.kind) {
    case 'image': {
      const { drawImage } = await import('./draw-image.ts');
      yield drawImage(job);
      break;
    }
    case 'video': {
      const { renderVideo } = await import('./render-video.ts');
      yield await renderVideo(job.plan);
      break;
    }
    case 'still': {
      const { drawThumbnail, drawSpritesheet } = await import('./draw-stills.ts');
      yield job.variant === 'thumbnail' ? drawThumbnail(job.plan) : drawSpritesheet(job.plan);
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

/** Posts the parts, then null; an error ends the thread. */
async function work(job: StudioJob): Promise<void> {
  for await (const part of perform(job)) parentPort?.postMessage(part);
  parentPort?.postMessage(null);
}

parentPort?.on('message', (job: StudioJob) => {
  work(job).catch((cause: unknown) => {
    // Throw outside the promise: Node may be configured not to end the thread on a rejection.
    queueMicrotask(() => {
      throw cause;
    });
  });
});
