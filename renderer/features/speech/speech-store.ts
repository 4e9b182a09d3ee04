/** The speech panel's form, and what the user does to it. */
import type { JsonObject } from '../../../shared/json.ts';
import type { HandedOver, Taken } from '../../media/hand-over/hand-over.ts';
import { panelForms } from '../../run/form/panel-forms.ts';

export const speechForm = panelForms.speech;

export function writeText(text: string): void {
  speechForm.change({ input: { text } }, { typing: true });
}

/** A text from elsewhere takes the place of what is written. */
export function takeText(item: HandedOver): Taken | null {
  if (item.kind !== 'text') return null;
  const before = speechForm.state.getState().values.input.text;
  if (before === item.text) return { message: 'This text is already there.', undo: null };
  writeText(item.text);
  return {
    message: before === '' ? 'Text added.' : 'Replaced the text.',
    undo: () => writeText(before),
  };
}

/** How raw samples are played. */
export function setPcm({ sampleRate, channels }: { sampleRate: number; channels: number }): void {
  speechForm.change({ input: { sampleRate, channels } }, { typing: true });
}

/** What a recorded run was asked goes back into the box. */
export function restore(request: JsonObject): void {
  speechForm.change({ input: { text: textOfRequest(request) } });
}

/** The interface's limit, in characters as main counts them: Unicode code points. */
export const longestText = 4096;

export function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/** What is wrong with the text, in the words of its field; null where nothing is. */
export function textProblem(text: string): string | null {
  const over = countCharacters(text) - longestText;
  if (over <= 0) return null;
  const characters = over === 1 ? '1 character' : `${over.toLocaleString('en')} characters`;
  return `Shorten the text by ${characters}: at most 4,096 are taken, and nothing is sent.`;
}

/** The text that a recorded request asked for. */
export function textOfRequest(request: JsonObject): string {
  return typeof request.input === 'string' ? request.input : '';
}
