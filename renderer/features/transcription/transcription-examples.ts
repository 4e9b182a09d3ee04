import type { Media } from '../../../shared/media.ts';
import { PageError } from '../../lib/page-failure.ts';
import { createMediaError } from '../../media/uploads/media-filter.ts';
import { uploadMedia } from '../../media/uploads/upload-media.ts';
import exampleUrl from './example-speech.mp3';
import { timedFields } from './transcription-store.ts';

export type ExampleFields = Partial<typeof timedFields>;

interface TranscriptionExample {
  title: string;
  detail: string;
  fields: ExampleFields;
}

/** All examples use the same ten-second recording. */
export const transcriptionExamples: readonly TranscriptionExample[] = [
  {
    title: 'Word timestamps',
    detail: 'Click a word to hear it',
    fields: timedFields,
  },
  {
    title: 'Subtitles',
    detail: 'In SRT format',
    fields: { response_format: 'srt' },
  },
  {
    title: 'Plain text',
    detail: 'Text only',
    fields: { response_format: 'text' },
  },
];

/** Adds the bundled recording to the library; rejects with a `PageError`. */
export async function addExampleSpeech(): Promise<Media> {
  const response = await fetch(exampleUrl).catch(() => null);
  if (!response?.ok) {
    throw new PageError(
      createMediaError('The example couldn’t be loaded.', 'Reload the page and try again.'),
    );
  }
  const file = new File([await response.blob()], 'Example speech.mp3', { type: 'audio/mpeg' });
  return uploadMedia(file);
}
