import type { JsonObject } from '../../../shared/json.ts';
import { describeOverLimit } from '../../lib/format-quantity.ts';
import type { HandOver } from '../../media/hand-over/hand-over.ts';
import { changeWithUndo, receiveItem } from '../../run/form/change-with-undo.ts';
import { panelForms } from '../../run/form/panel-forms.ts';
import { setParameter } from '../../run/form/parameters.ts';
import { recordSource } from '../../run/form/text-source.ts';

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

export function setPcm({ sampleRate, channels }: { sampleRate: number; channels: number }): void {
  speechForm.change({ input: { sampleRate, channels } }, { typing: true });
}

/** The API's limit for the text, in Unicode code points. */
export const maxText = 4096;

export function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

export function findTextProblem(text: string): string | null {
  return describeOverLimit(countCharacters(text), maxText);
}

export function getRequestText(request: JsonObject): string {
  return typeof request.input === 'string' ? request.input : '';
}
