import { useEffect } from 'react';
import type { JsonObject } from '../../../shared/json.ts';
import { getRawShape, type Media } from '../../../shared/media.ts';
import type { WavShape } from '../../../shared/wav.ts';
import { api } from '../../lib/api.ts';
import { describeOverLimit } from '../../lib/format-quantity.ts';
import type { HandOver } from '../../media/hand-over/hand-over.ts';
import { rememberMedia, useMedia } from '../../media/players/use-media.ts';
import { changeWithUndo, receiveItem } from '../../run/form/change-with-undo.ts';
import { panelForms } from '../../run/form/panel-forms.ts';
import { setParameter } from '../../run/form/parameters.ts';
import { recordSource } from '../../run/form/text-source.ts';
import { useForm } from '../../run/form/use-form.ts';
import { countCharacters } from './split-text.ts';

export const speechForm = panelForms.speech;

export function writeText(text: string): void {
  speechForm.change({ input: { text } }, { typing: true });
}

export function receiveText(item: HandOver): boolean {
  if (item.kind !== 'text') return false;
  const { text } = speechForm.state.getState().values.input;
  const known = text === item.text ? 'This text is already entered.' : null;
  const message = text === '' ? 'Text added' : 'Text replaced';
  const write = () => {
    writeText(item.text);
    recordSource(speechForm, item);
  };
  return receiveItem(speechForm, known, write, message);
}

export function writeRequest({ input: text, ...parameters }: JsonObject & { input: string }): void {
  const write = () => {
    writeText(text);
    for (const [name, value] of Object.entries(parameters)) setParameter(speechForm, name, value);
  };
  changeWithUndo(speechForm, write, 'Input replaced by the example');
}

interface RawTake {
  shape: WavShape;
  /** Keeps the format with the take, and as the default of later ones. */
  keepShape: (shape: WavShape) => void;
}

/** Returns the format of a take without a header, which is kept with it; null for other takes. */
export function useRawTake(media: Media | null): RawTake {
  const sampleRate = useForm(speechForm, ({ input }) => input.sampleRate);
  const channels = useForm(speechForm, ({ input }) => input.channels);
  const stored = useMedia(media?.complete ? media.id : null).media;
  const id = stored?.id ?? null;
  const isNew = stored !== null && stored.sampleRate === null;
  useEffect(() => {
    // Store the form's current format with the take, because it may change for a later take.
    if (isNew && id !== null) void keep(id, { sampleRate, channels });
  }, [isNew, id, sampleRate, channels]);
  return {
    shape: stored === null || isNew ? { sampleRate, channels } : getRawShape(stored),
    keepShape(shape) {
      speechForm.change({ input: shape }, { typing: true });
      if (stored === null) return;
      rememberMedia({ ...stored, ...shape });
      void keep(stored.id, shape);
    },
  };
}

async function keep(id: string, shape: WavShape): Promise<void> {
  await api.media.setShape({ id, ...shape }).then(rememberMedia, () => undefined);
}

/** The API's limit for the text, in Unicode code points. */
export const maxText = 4096;

export function findTextProblem(text: string): string | null {
  return describeOverLimit(countCharacters(text), maxText);
}

export function getRequestText(request: JsonObject): string {
  return typeof request.input === 'string' ? request.input : '';
}
