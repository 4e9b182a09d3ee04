/** The transcription panel's form, and how its result is laid out in this window. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { HandedOver, Taken } from '../../media/hand-over/hand-over.ts';
import { panelForms } from '../../run/form/panel-forms.ts';

export const transcriptionForm = panelForms.transcription;

/** The audio that is to be transcribed. */
export function chooseAudio(mediaId: string | null): void {
  transcriptionForm.change({ input: { mediaId } });
}

/** A sound from elsewhere takes the place of the one that is there. */
export function takeAudio(item: HandedOver): Taken | null {
  if (item.kind !== 'media') return null;
  const before = transcriptionForm.state.getState().values.input.mediaId;
  if (before === item.media.id) return { message: 'This audio is already here.', undo: null };
  chooseAudio(item.media.id);
  return {
    message: before === null ? 'Audio added.' : 'Replaced the audio.',
    undo: () => chooseAudio(before),
  };
}

export type TranscriptView = 'text' | 'segments' | 'raw';

export const useTranscriptView = create<{ view: TranscriptView }>()(
  persist((): { view: TranscriptView } => ({ view: 'text' }), {
    name: 'gatehouse:transcript-view',
  }),
);

export function showView(view: TranscriptView): void {
  useTranscriptView.setState({ view });
}
