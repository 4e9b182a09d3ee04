import { useEffect, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import { conversationOfForm } from '../../../../shared/form-fields.ts';
import type { Media } from '../../../../shared/media.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { offerUndo } from '../../../lib/undo.ts';
import { type HandOver, useReceiver } from '../../../media/hand-over/hand-over.ts';
import { mediaTitle } from '../../../media/players/describe-media.ts';
import { anything } from '../../../media/uploads/media-filter.ts';
import { toWireAudio, wireAudioFormat } from '../../../media/uploads/to-wire-audio.ts';
import { useUploads } from '../../../media/uploads/use-uploads.ts';
import { changeWithUndo } from '../../../run/form/change-with-undo.ts';
import { conversationForm } from '../../../run/form/panel-forms.ts';
import { useForm } from '../../../run/form/use-form.ts';
import { showToast } from '../../../ui/show-toast.ts';
import { addPart, type ComposerForm, messageIn, receiveText } from './composer-form.ts';
import { mediaIdOf, partOf } from './content-parts.ts';
import { showAttached } from './recording-elsewhere.tsx';

/** Sounds that were converted, and the wav that was attached in their place, by id. */
const converted = new Map<string, string>();

/** What shows a problem of each composer on the page, by its form: a recording may end when another is shown. */
const shownComposers = new Map<string, (problem: AppError) => void>();

/** The attachments of the message that is being written: how they come, and what they are. */
export function useAttachments(form: ComposerForm) {
  const parts = useForm(form, ({ input }) => input.parts);
  const [converting, setConverting] = useState(0);
  const [problem, setProblem] = useState<AppError | null>(null);

  useEffect(() => {
    shownComposers.set(form.id, setProblem);
    return () => void shownComposers.delete(form.id);
  }, [form.id]);

  /** As it can be attached; null where it could not be converted. */
  async function wireMedia(media: Media, target: ComposerForm): Promise<Media | null> {
    setProblem(null);
    if (media.kind !== 'audio' || wireAudioFormat(media) !== null) return media;
    setConverting((count) => count + 1);
    try {
      const wav = await toWireAudio(media);
      converted.set(media.id, wav.id);
      return wav;
    } catch (error) {
      fail(toAppError(error), target);
      return null;
    } finally {
      setConverting((count) => count - 1);
    }
  }

  function fail(error: AppError, { id }: ComposerForm): void {
    const show = shownComposers.get(id);
    if (show === undefined) showToast({ message: error.message, tone: 'danger' });
    else show(error);
  }

  /** Returns whether it could be attached. */
  async function addMedia(media: Media, target = form): Promise<boolean> {
    const wire = await wireMedia(media, target);
    if (wire !== null) addPart(target, partOf(wire));
    return wire !== null;
  }

  /** To the form that it was made for, which may not be shown any more. */
  async function addRecording(media: Media, formId: string): Promise<void> {
    const target = conversationForm(conversationOfForm(formId));
    target.load().catch((error: unknown) => fail(toAppError(error), target));
    const isAttached = await addMedia(media, target);
    if (isAttached && !shownComposers.has(formId)) showAttached(formId);
  }

  async function take(item: HandOver): Promise<boolean> {
    if (item.kind === 'text') return receiveText(form, item.text);
    await form.load();
    const attachedAs = converted.get(item.media.id) ?? item.media.id;
    if (messageIn(form).parts.some((part) => mediaIdOf(part) === attachedAs)) {
      const message = `${mediaTitle(item.media)} is already attached.`;
      offerUndo({ message, place: form.id, undo: null });
      return true;
    }
    const wire = await wireMedia(item.media, form);
    if (wire === null) return false;
    changeWithUndo(
      form,
      () => addPart(form, partOf(wire)),
      `${mediaTitle(item.media)} attached to your message`,
      { after: 'any change' },
    );
    return true;
  }

  useReceiver('chat', take);

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
    addRecording: (media: Media, formId: string) => void addRecording(media, formId),
  };
}
