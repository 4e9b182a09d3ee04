import type { JsonObject } from '../../../shared/json.ts';
import { createMediaReference, findReferencedMedia } from '../../../shared/media.ts';
import type { ComparedInput } from '../../run/compare/compared-input.ts';

export function toAudioRequest(mediaId: string): JsonObject {
  return { file: createMediaReference(mediaId) };
}

export function getRequestAudio({ file }: JsonObject): string | null {
  return typeof file === 'string' ? findReferencedMedia(file) : null;
}

export function createTranscriptionInput(name: string): ComparedInput {
  return {
    title: () => name,
    promptField: null,
    own: {
      write: (input) =>
        'mediaId' in input && input.mediaId !== null ? toAudioRequest(input.mediaId) : {},
      read: (request) => ({ mediaId: getRequestAudio(request) }),
    },
  };
}
