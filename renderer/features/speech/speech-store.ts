/** The speech panel's form, and what the user does to it. */
import type { JsonObject } from '../../../shared/json.ts';
import type { HandedOver, Taken } from '../../media/hand-over/hand-over.ts';
import { panelForms } from '../../run/form/panel-forms.ts';
import { setParameter } from '../../run/form/parameters.ts';

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

/** An example's text and parameters. */
export function writeRequest({ input: text, ...parameters }: JsonObject & { input: string }): void {
  writeText(text);
  for (const [name, value] of Object.entries(parameters)) setParameter(speechForm, name, value);
}

/** Makes an earlier take the result again. */
export function showTake(runId: string): void {
  speechForm.change({ runId });
}

/** How raw samples are played. */
export function setPcm({ sampleRate, channels }: { sampleRate: number; channels: number }): void {
  speechForm.change({ input: { sampleRate, channels } }, { typing: true });
}

/** A recorded request goes back into the box. */
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
  return `${characters} over the ${longestText.toLocaleString('en')} limit.`;
}

/** The text that a recorded request asked for. */
export function textOfRequest(request: JsonObject): string {
  return typeof request.input === 'string' ? request.input : '';
}
