import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import type { RunInput } from '../../../shared/run-input.ts';
import { readSettings } from './image-settings-values.ts';
import { readTurns, type Turn } from './turns.ts';

/** The request of the shown run, because the form may have changed since. */
export interface RequestedImage {
  turns: Turn[];
  aspectRatio: string | null;
  imageSize: string | null;
}

/** Extra body fields win, as in the body that was sent. */
export function requestedImage({
  request,
  extraBody,
}: Pick<RunInput, 'request' | 'extraBody'>): RequestedImage {
  const sent: JsonObject = { ...request, ...extraBody };
  const config = isJsonObject(sent.generationConfig) ? sent.generationConfig : {};
  const { aspectRatio, imageSize } = readSettings(config);
  return {
    turns: readTurns(sent.contents),
    aspectRatio: aspectRatio === '' ? null : aspectRatio,
    imageSize: imageSize === '' ? null : imageSize,
  };
}

/** `16:9 · 2K`; empty if nothing was requested. */
export function describeRequested({ aspectRatio, imageSize }: RequestedImage): string {
  return [aspectRatio, imageSize].filter((word) => word !== null).join(' · ');
}
