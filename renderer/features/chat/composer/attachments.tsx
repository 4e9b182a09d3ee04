import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { create } from 'zustand';
import type { AppError } from '../../../../shared/errors.ts';
import { getFormConversation } from '../../../../shared/form-fields.ts';
import { isSameJson } from '../../../../shared/json.ts';
import type { Media } from '../../../../shared/media.ts';
import { type ContentPart, getMediaId } from '../../../../shared/operations/chat/message.ts';
import { api } from '../../../lib/api.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { navigate } from '../../../lib/route.ts';
import { offerUndo } from '../../../lib/undo.ts';
import { type HandOver, useReceiver } from '../../../media/hand-over/hand-over.ts';
import { getMediaTitle } from '../../../media/players/describe-media.ts';
import { rememberMedia } from '../../../media/players/use-media.ts';
import { anything } from '../../../media/uploads/media-filter.ts';
import { getWireAudioFormat, toWireAudio } from '../../../media/uploads/to-wire-audio.ts';
import { useUploads } from '../../../media/uploads/use-uploads.ts';
import { changeWithUndo } from '../../../run/form/change-with-undo.ts';
import { getConversationForm } from '../../../run/form/panel-forms.ts';
import { useForm } from '../../../run/form/use-form.ts';
import { Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/show-toast.ts';
import { selectConversation } from '../conversation/chat-store.ts';
import {
  addPart,
  type ComposerForm,
  getMessage,
  receiveText,
} from '../conversation/composer-form.ts';
import { getCachedConversation, getConversationQuery } from '../conversation/conversation-query.ts';
import { isSentAsText, toContentPart } from '../conversation/written-message.ts';
import { toTextPart } from './text-files.ts';

/** Maps the ID of each converted audio item to the ID of its WAV file. */
const converted = new Map<string, string>();

interface Attaching {
  /** The number of text files being read. */
  reading: number;
  converting: number;
  problem: AppError | null;
}

const idle: Attaching = { reading: 0, converting: 0, problem: null };
/** Keyed by form ID, because another composer may be visible when a file arrives. */
const useAttaching = create<Record<string, Attaching>>(() => ({}));
const shownFormIds = new Set<string>();

function changeAttaching(formId: string, change: (now: Attaching) => Partial<Attaching>): void {
  useAttaching.setState((all) => {
    const now = all[formId] ?? idle;
    return { [formId]: { ...now, ...change(now) } };
  });
}

function fail(formId: string, error: AppError): void {
  changeAttaching(formId, () => ({ problem: error }));
  if (!shownFormIds.has(formId)) showToast({ message: error.message, tone: 'danger' });
}

/** Converts audio that the API doesn't accept, and reads text; returns null if that fails. */
async function toPart(media: Media, formId: string): Promise<ContentPart | null> {
  changeAttaching(formId, () => ({ problem: null }));
  const isReady = media.kind !== 'audio' || getWireAudioFormat(media) !== null;
  if (isReady && !isSentAsText(media)) return toContentPart(media);
  if (isReady) return readText(media, formId);
  changeAttaching(formId, ({ converting }) => ({ converting: converting + 1 }));
  try {
    const wav = await toWireAudio(media);
    converted.set(media.id, wav.id);
    return toContentPart(wav);
  } catch (error) {
    fail(formId, toAppError(error));
    return null;
  } finally {
    changeAttaching(formId, ({ converting }) => ({ converting: converting - 1 }));
  }
}

/** Returns a text part, or a file part if the file only starts as UTF-8 text. */
async function readText(media: Media, formId: string): Promise<ContentPart> {
  changeAttaching(formId, ({ reading }) => ({ reading: reading + 1 }));
  try {
    return await toTextPart(media);
  } catch {
    return toContentPart(media);
  } finally {
    changeAttaching(formId, ({ reading }) => ({ reading: reading - 1 }));
  }
}

async function attach(formId: string, media: Media, name: string): Promise<void> {
  const form = getConversationForm(getFormConversation(formId));
  form.load().catch((error: unknown) => fail(formId, toAppError(error)));
  const part = await toPart(media, formId);
  if (part === null) return;
  if (!shownFormIds.has(formId) && !(await hasConversation(formId))) {
    showToast({ message: `${name} saved to the library. Its conversation was deleted.` });
    return;
  }
  addPart(form, part);
  if (!shownFormIds.has(formId)) showAttached(formId, name);
}

async function hasConversation(formId: string): Promise<boolean> {
  const id = getFormConversation(formId);
  if (id === null) return true;
  return api.conversations.get({ id }).then(
    () => true,
    (error: unknown) => toAppError(error).kind !== 'not-found',
  );
}

export function useAttachments(form: ComposerForm) {
  const parts = useForm(form, ({ input }) => input.parts);
  const { reading, converting, problem } = useAttaching((all) => all[form.id] ?? idle);

  useEffect(() => {
    shownFormIds.add(form.id);
    return () => void shownFormIds.delete(form.id);
  }, [form.id]);

  async function take(item: HandOver): Promise<boolean> {
    if (item.kind === 'text') return receiveText(form, item);
    await form.load();
    const { parts: attached } = getMessage(form);
    const attachedAs = converted.get(item.media.id) ?? item.media.id;
    const isAttached = attached.some((part) => getMediaId(part) === attachedAs);
    const part = isAttached ? null : await toPart(item.media, form.id);
    if (isAttached || attached.some((one) => isSameJson(one, part))) {
      const message = `${getMediaTitle(item.media)} is already attached.`;
      offerUndo({ message, place: form.id, undo: null });
      return true;
    }
    if (part === null) return false;
    changeWithUndo(
      form,
      () => addPart(form, part),
      `${getMediaTitle(item.media)} attached to your message`,
      { after: 'any change' },
    );
    return true;
  }

  useReceiver('chat', take);

  const uploads = useUploads({
    place: form.id,
    filter: anything,
    onMedia: (media, formId) => {
      rememberMedia(media);
      void attach(formId, media, getMediaTitle(media));
    },
  });
  return {
    parts,
    uploads,
    converting,
    busy: uploads.busy || reading > 0 || converting > 0,
    problem,
    dismissProblem: () => changeAttaching(form.id, () => ({ problem: null })),
    addMedia: (media: Media) => void attach(form.id, media, getMediaTitle(media)),
    addRecording: (media: Media, formId: string) => void attach(formId, media, 'Recording'),
  };
}

/** Shows in a composer that the user is recording for another conversation. */
export function OtherRecordingNotice({ formId }: { formId: string }) {
  const id = getFormConversation(formId);
  const { data } = useQuery(getConversationQuery(id));
  return (
    <Button variant="quiet" size="small" onClick={() => openConversation(id)}>
      {`Recording for ${describeConversation(id, data?.title)}`}
    </Button>
  );
}

/** Announces that a file was attached to a conversation that isn't visible. */
function showAttached(formId: string, name: string): void {
  const id = getFormConversation(formId);
  const title = id === null ? undefined : getCachedConversation(id)?.title;
  showToast({
    message: `${name} attached to your message in ${describeConversation(id, title)}.`,
    action: { label: 'Open', onAction: () => openConversation(id) },
  });
}

const MAX_TITLE_CHARS = 40;

function describeConversation(id: string | null, title: string | undefined): string {
  if (id === null) return 'a new conversation';
  if (title === undefined) return 'another conversation';
  return `“${title.length > MAX_TITLE_CHARS ? `${title.slice(0, MAX_TITLE_CHARS).trimEnd()}…` : title}”`;
}

function openConversation(id: string | null): void {
  selectConversation(id);
  navigate('chat', id);
}
