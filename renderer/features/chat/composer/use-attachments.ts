import { useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { Media } from '../../../../shared/media.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { anything } from '../../../media/uploads/media-filter.ts';
import { toWireAudio, wireAudioFormat } from '../../../media/uploads/to-wire-audio.ts';
import { useUploads } from '../../../media/uploads/use-uploads.ts';
import { useTakeOver } from '../../../run/form/hand-over.ts';
import { useForm } from '../../../run/form/use-form.ts';
import { addPart, type ComposerForm } from './composer-form.ts';
import { partOf } from './content-parts.ts';

/** The attachments of the message that is being written: how they come, and what they are. */
export function useAttachments(form: ComposerForm) {
  const parts = useForm(form, ({ input }) => input.parts);
  const [converting, setConverting] = useState(0);
  const [problem, setProblem] = useState<AppError | null>(null);

  async function addMedia(media: Media): Promise<void> {
    setProblem(null);
    if (media.kind !== 'audio' || wireAudioFormat(media) !== null) {
      addPart(form, partOf(media));
      return;
    }
    setConverting((count) => count + 1);
    try {
      addPart(form, partOf(await toWireAudio(media)));
    } catch (error) {
      setProblem(toAppError(error));
    } finally {
      setConverting((count) => count - 1);
    }
  }

  useTakeOver('chat', (media) => {
    for (const medium of media) void addMedia(medium);
  });

  const uploads = useUploads({ filter: anything, onMedia: (media) => void addMedia(media) });
  return {
    parts,
    uploads,
    /** Sounds on their way to wav. */
    converting,
    busy: uploads.busy || converting > 0,
    problem,
    dismissProblem: () => setProblem(null),
    addMedia: (media: Media) => void addMedia(media),
  };
}
