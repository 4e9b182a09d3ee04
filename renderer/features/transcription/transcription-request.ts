/** The audio as a field of a request, and the reverse. */
import type { JsonObject } from '../../../shared/json.ts';
import { mediaReference, referencedMedia } from '../../../shared/media-reference.ts';
import type { ComparedInput } from '../../run/compare/compared-input.ts';

export function requestOfAudio(mediaId: string): JsonObject {
  return { file: mediaReference(mediaId) };
}

export function audioOfRequest({ file }: JsonObject): string | null {
  return typeof file === 'string' ? referencedMedia(file) : null;
}

/** `name`: what the audio is called. */
export function comparedTranscription(name: string): ComparedInput {
  return {
    title: () => name,
    promptField: null,
    own: {
      sent: (input) =>
        'mediaId' in input && input.mediaId !== null ? requestOfAudio(input.mediaId) : {},
      read: (request) => ({ mediaId: audioOfRequest(request) }),
    },
  };
}
