import { useEffect } from 'react';
import { create } from 'zustand';
import type { AppError } from '../../../../shared/errors.ts';
import { conversationOfForm } from '../../../../shared/form-fields.ts';
import type { Media } from '../../../../shared/media.ts';
import { getMediaId } from '../../../../shared/operations/chat/part-source.ts';
import { api } from '../../../lib/api.ts';
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
import { getPart } from './content-parts.ts';
import { showAttached } from './other-recording.tsx';

/** Sounds that were converted, and the wav that was attached in their place, by id. */
const converted = new Map<string, string>();

/** What is being attached to a message, by the ID of its form: it may come when another composer is shown. */
interface Attaching {
  /** Sounds on their way to wav. */
  converting: number;
  problem: AppError | null;
}

const idle: Attaching = { converting: 0, problem: null };
const useAttaching = create<Record<string, Attaching>>(() => ({}));
/** The forms whose composer is on the page. */
const shown = new Set<string>();

function changeAttaching(formId: string, change: (now: Attaching) => Partial<Attaching>): void {
  useAttaching.setState((all) => {
    const now = all[formId] ?? idle;
    return { [formId]: { ...now, ...change(now) } };
  });
}

function fail(formId: string, error: AppError): void {
  changeAttaching(formId, () => ({ problem: error }));
  if (!shown.has(formId)) showToast({ message: error.message, tone: 'danger' });
}

/** As it can be attached; null if it could not be converted. */
async function wireMedia(media: Media, formId: string): Promise<Media | null> {
  changeAttaching(formId, () => ({ problem: null }));
  if (media.kind !== 'audio' || wireAudioFormat(media) !== null) return media;
  changeAttaching(formId, ({ converting }) => ({ converting: converting + 1 }));
  try {
    const wav = await toWireAudio(media);
    converted.set(media.id, wav.id);
    return wav;
  } catch (error) {
    fail(formId, toAppError(error));
    return null;
  } finally {
    changeAttaching(formId, ({ converting }) => ({ converting: converting - 1 }));
  }
}

/** To the form that it was made or chosen for, which may not be shown any more. */
async function attach(formId: string, media: Media, name: string): Promise<void> {
  const form = conversationForm(conversationOfForm(formId));
  form.load().catch((error: unknown) => fail(formId, toAppError(error)));
  const wire = await wireMedia(media, formId);
  if (wire === null) return;
  if (!shown.has(formId) && !(await isThere(formId))) {
    showToast({ message: `${name} saved to the library. Its conversation was deleted.` });
    return;
  }
  addPart(form, getPart(wire));
  if (!shown.has(formId)) showAttached(formId, name);
}

/** False for a form of a conversation that was deleted. */
async function isThere(formId: string): Promise<boolean> {
  const id = conversationOfForm(formId);
  if (id === null) return true;
  return api.conversations.get({ id }).then(
    () => true,
    (error: unknown) => toAppError(error).kind !== 'not-found',
  );
}

/** The attachments of the message that is being written: how they come, and what they are. */
export function useAttachments(form: ComposerForm) {
  const parts = useForm(form, ({ input }) => input.parts);
  const { converting, problem } = useAttaching((all) => all[form.id] ?? idle);

  useEffect(() => {
    shown.add(form.id);
    return () => void shown.delete(form.id);
  }, [form.id]);

  async function take(item: HandOver): Promise<boolean> {
    if (item.kind === 'text') return receiveText(form, item);
    await form.load();
    const attachedAs = converted.get(item.media.id) ?? item.media.id;
    if (messageIn(form).parts.some((part) => getMediaId(part) === attachedAs)) {
      const message = `${mediaTitle(item.media)} is already attached.`;
      offerUndo({ message, place: form.id, undo: null });
      return true;
    }
    const wire = await wireMedia(item.media, form.id);
    if (wire === null) return false;
    changeWithUndo(
      form,
      () => addPart(form, getPart(wire)),
      `${mediaTitle(item.media)} attached to your message`,
      { after: 'any change' },
    );
    return true;
  }

  useReceiver('chat', take);

  const uploads = useUploads({
    place: form.id,
    filter: anything,
    onMedia: (media, formId) => void attach(formId, media, mediaTitle(media)),
  });
  return {
    parts,
    uploads,
    converting,
    busy: uploads.busy || converting > 0,
    problem,
    dismissProblem: () => changeAttaching(form.id, () => ({ problem: null })),
    addMedia: (media: Media) => void attach(form.id, media, mediaTitle(media)),
    addRecording: (media: Media, formId: string) => void attach(formId, media, 'Recording'),
  };
}
