/** The transcription panel's form, and how its result is laid out in this window. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { panelForms } from '../../run/form/panel-forms.ts';

export const transcriptionForm = panelForms.transcription;

/** The audio that is to be transcribed. */
export function chooseAudio(mediaId: string | null): void {
  transcriptionForm.change({ input: { mediaId } });
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
