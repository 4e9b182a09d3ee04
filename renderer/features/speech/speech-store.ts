/** The speech panel's form, and what the user does to it. */
import type { JsonObject } from '../../../shared/json.ts';
import { panelForms } from '../../run/form/panel-forms.ts';
import { textOfRequest } from './speech-text.ts';

export const speechForm = panelForms.speech;

export function writeText(text: string): void {
  speechForm.change({ input: { text } }, { typing: true });
}

/** How raw samples are played. */
export function setPcm({ sampleRate, channels }: { sampleRate: number; channels: number }): void {
  speechForm.change({ input: { sampleRate, channels } }, { typing: true });
}

/** What a recorded run was asked goes back into the box. */
export function restore(request: JsonObject): void {
  speechForm.change({ input: { text: textOfRequest(request) } });
}
