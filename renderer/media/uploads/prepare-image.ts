import { getMediaUrl, type Media } from '../../../shared/media.ts';
import { PageError } from '../../lib/page-failure.ts';
import { getMediaTitle } from '../players/describe-media.ts';
import { type ImageChange, MAX_IMAGE_BYTES } from './image-limits.ts';
import type { ImageWorkerRequest, ImageWorkerResponse } from './image-worker.ts';
import { createMediaError } from './media-filter.ts';
import { linkCopy } from './originals.ts';
import { uploadMedia } from './upload-media.ts';

/** A damaged file can keep a decoder busy forever. */
const DECODE_MS = 60_000;

/** Stores a converted or scaled copy; rejects with a `PageError`. */
export async function prepareImage(media: Media, change: ImageChange): Promise<Media> {
  const blob = await runWorker(media, change);
  const extension = blob.type === 'image/png' ? 'png' : 'jpg';
  const name = `${getMediaTitle(media).replace(/\.[^.]+$/, '')}.${extension}`;
  const prepared = await uploadMedia(blob, { name });
  linkCopy(prepared, media);
  return prepared;
}

function runWorker(media: Media, { maxSide, formats }: ImageChange): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./image-worker.ts', import.meta.url), { type: 'module' });
    const timer = setTimeout(() => fail('The decoder took over a minute.'), DECODE_MS);
    const fail = (detail: string) => {
      clearTimeout(timer);
      worker.terminate();
      reject(new PageError(undecodable(media, detail)));
    };
    worker.addEventListener('error', ({ message }) => fail(message));
    worker.addEventListener('message', ({ data }: MessageEvent<ImageWorkerResponse>) => {
      if ('problem' in data) return fail(data.problem);
      clearTimeout(timer);
      worker.terminate();
      resolve(data.blob);
    });
    const order: ImageWorkerRequest = {
      // A worker has a different base URL.
      url: new URL(getMediaUrl(media.id), location.href).href,
      type: media.type,
      maxSide,
      formats,
      maxBytes: MAX_IMAGE_BYTES,
    };
    worker.postMessage(order);
  });
}

function undecodable(media: Media, detail: string) {
  return createMediaError(
    `“${getMediaTitle(media)}” couldn’t be decoded.`,
    'Convert or scale it in another app, or send it as it is.',
    detail,
  );
}
