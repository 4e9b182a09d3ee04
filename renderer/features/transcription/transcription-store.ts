import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { HandOver } from '../../media/hand-over/hand-over.ts';
import { endParked } from '../../media/players/playback.ts';
import { dismissFailedUploads } from '../../media/uploads/use-uploads.ts';
import { changeWithUndo, receiveItem } from '../../run/form/change-with-undo.ts';
import { panelForms } from '../../run/form/panel-forms.ts';
import { setParameter } from '../../run/form/parameters.ts';

export const transcriptionForm = panelForms.transcription;

export function chooseAudio(mediaId: string | null): void {
  transcriptionForm.change({ input: { mediaId } });
}

// Undo or opening a run may also replace the audio.
transcriptionForm.state.subscribe(({ values: { input } }, { values: { input: before } }) => {
  if (before.mediaId === input.mediaId) return;
  if (before.mediaId !== null) endParked(before.mediaId);
  dismissFailedUploads('transcription');
});

/** Null removes the audio; Undo restores the previous audio. */
export function replaceAudio(mediaId: string | null): void {
  const message = mediaId === null ? 'Audio removed' : 'Audio replaced';
  changeWithUndo(transcriptionForm, () => chooseAudio(mediaId), message);
}

export function receiveAudio(item: HandOver): boolean {
  if (item.kind !== 'media') return false;
  const before = transcriptionForm.state.getState().values.input.mediaId;
  const { id } = item.media;
  const known = before === id ? 'This audio is already selected.' : null;
  const message = before === null ? 'Audio added' : 'Audio replaced';
  return receiveItem(transcriptionForm, known, () => chooseAudio(id), message);
}

export const timedFields = {
  response_format: 'verbose_json',
  timestamp_granularities: ['word', 'segment'],
};

export function setParameters(fields: Partial<typeof timedFields>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) setParameter(transcriptionForm, name, value);
  }
}

export type TranscriptView = 'text' | 'segments' | 'raw';

/** Null until the user chooses a view. */
export const useTranscriptView = create<{ view: TranscriptView | null }>()(
  persist((): { view: TranscriptView | null } => ({ view: null }), {
    name: 'gatehouse:transcript-view',
  }),
);

export function showView(view: TranscriptView | null): void {
  useTranscriptView.setState({ view });
}
