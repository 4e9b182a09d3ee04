/** The transcription panel's form, and how its result is laid out in this window. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { offerUndo } from '../../lib/undo.ts';
import type { HandedOver, Taken } from '../../media/hand-over/hand-over.ts';
import { endParked } from '../../media/players/parked-sounds.ts';
import { panelForms } from '../../run/form/panel-forms.ts';
import { setParameter } from '../../run/form/parameters.ts';

export const transcriptionForm = panelForms.transcription;

/** The sound that is to be transcribed. */
export function chooseAudio(mediaId: string | null): void {
  const before = chosenAudio();
  if (before !== null && before !== mediaId) endParked(before);
  transcriptionForm.change({ input: { mediaId } });
}

/** Where the panel offers Undo. */
export const undoPlace = 'transcription-audio';

/** Recorded, added or picked, or null to remove it; the sound before it is one click away. */
export function exchangeAudio(mediaId: string | null): void {
  const before = chosenAudio();
  if (before === mediaId) return;
  chooseAudio(mediaId);
  if (before === null) return;
  offerUndo({
    message: mediaId === null ? 'Audio removed.' : 'Audio replaced.',
    place: undoPlace,
    undo: () => chooseAudio(before),
  });
}

/** A sound from elsewhere takes the place of the one that is there. */
export function takeAudio(item: HandedOver): Taken | null {
  if (item.kind !== 'media') return null;
  const before = chosenAudio();
  if (before === item.media.id) return { message: 'This audio is already here.', undo: null };
  chooseAudio(item.media.id);
  return {
    message: before === null ? 'Audio added.' : 'Replaced the audio.',
    undo: () => chooseAudio(before),
  };
}

function chosenAudio(): string | null {
  return transcriptionForm.state.getState().values.input.mediaId;
}

/** Fields that bring a time for each word and segment. */
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

export const useTranscriptView = create<{ view: TranscriptView }>()(
  persist((): { view: TranscriptView } => ({ view: 'text' }), {
    name: 'gatehouse:transcript-view',
  }),
);

export function showView(view: TranscriptView): void {
  useTranscriptView.setState({ view });
}
