import { useLayoutEffect, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { Media } from '../../../../shared/media.ts';
import type { ContentPart } from '../../../../shared/operations/chat/message.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { anything } from '../../../media/uploads/media-filter.ts';
import { toWireAudio, wireAudioFormat } from '../../../media/uploads/to-wire-audio.ts';
import { useUploads } from '../../../media/uploads/use-uploads.ts';
import { useTakeOver } from '../../../run/form/hand-over.ts';
import { partsOf, setParts, useComposerParts } from './composer-parts.ts';
import { partOf } from './content-parts.ts';

/** The attachments of a conversation's next message: how they come, and what they are. */
export function useAttachments(conversationId: string | null) {
  const parts = useComposerParts((state) => partsOf(state, conversationId));
  const [converting, setConverting] = useState(0);
  const [problem, setProblem] = useState<AppError | null>(null);
  const addPart = (part: ContentPart) => setParts(conversationId, (before) => [...before, part]);

  async function addMedia(media: Media): Promise<void> {
    setProblem(null);
    if (media.kind !== 'audio' || wireAudioFormat(media) !== null) return addPart(partOf(media));
    setConverting((count) => count + 1);
    try {
      addPart(partOf(await toWireAudio(media)));
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
    addPart,
    addMedia: (media: Media) => void addMedia(media),
    setParts: (next: ContentPart[]) => setParts(conversationId, () => next),
  };
}

/** Tells whether anything is attached before the frame is drawn. */
export function useTold<Value>(value: Value, tell: (value: Value) => void): void {
  useLayoutEffect(() => tell(value), [value, tell]);
}
