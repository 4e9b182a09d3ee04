/** What its own panel says fields: in which of them its variants may differ, and how. */

import type { Comparison } from '../../../shared/comparison.ts';
import type { FormValues } from '../../../shared/form.ts';
import { isSameJson, type JsonObject } from '../../../shared/json.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';

export interface ComparedInput {
  /** What the comparison is called, of the panel's own fields: that text unless given. */
  title?: (own: JsonObject) => string;
  /** The text that a variant may have in place of the panel's; null if there is none. */
  promptField: PromptField | null;
  /** The panel's own fields; absent where what is compared stands elsewhere, as in a conversation. */
  own?: InputMapping;
  /** Settings of the panel's own beside its parameters, in which variants may differ. */
  settings?: ComparedSettings;
  /** Fields that the panel sets itself: no variant differs in them. */
  owned?: readonly string[];
  /** More variants than these the panel does not show. */
  mostVariants?: number;
  /** Each variant is sent once. */
  isOnce?: boolean;
}

export interface InputMapping {
  /** The fields of the request that the form's input is sent in. */
  sent: (input: FormValues<OperationName>['input']) => JsonObject;
  /** The reverse. */
  read: (request: JsonObject) => Partial<FormValues<OperationName>['input']>;
}

export interface PromptField {
  /** `Prompt`. */
  label: string;
  /** `Prompts`, where several can be sent, each in its own row. */
  several?: string;
  /** The fields of the request that the text is in; `own` are the panel's. */
  write: (own: JsonObject, text: string) => JsonObject;
  /** The reverse; null if the fields have no text. */
  read: (sent: JsonObject) => string | null;
}

export interface ComparedSettings {
  fields: (input: FormValues<OperationName>['input']) => readonly ComparedSetting[];
  /** The fields of the request that they change; `settings` as typed, by name. */
  write: (own: JsonObject, settings: Readonly<Record<string, string>>) => JsonObject;
  /** The reverse: those that `sent` has otherwise than `own`. */
  read: (own: JsonObject, sent: JsonObject) => Record<string, string>;
}

/** One of them, edited as text. */
export interface ComparedSetting {
  name: string;
  /** `Aspect ratio`. */
  label: string;
  /** The form's own; empty if it is not sent. */
  value: string;
  suggestions: readonly string[];
}

/** A text that is a field of the request by itself. */
export function createPromptField(name: string, label: string, several?: string): PromptField {
  return {
    label,
    ...(several !== undefined && { several }),
    write: (_own, text) => ({ [name]: text }),
    read({ [name]: text }) {
      return typeof text === 'string' ? text : null;
    },
  };
}

/** Those that are not as in the form, in the order of its fields, those of no field last. */
export function differingSettings(
  fields: readonly ComparedSetting[],
  settings: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = new Set([...fields.map(({ name }) => name), ...Object.keys(settings)]);
  const own = new Map(fields.map(({ name, value }) => [name, value]));
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const value = settings[name];
      return value === undefined || value === own.get(name) ? [] : [[name, value]];
    }),
  );
}

/** What each row sends: the panel's own fields, and below them those with the other morePrompts, no two the same. */
export function rowInputs(
  own: JsonObject,
  { promptField }: Pick<ComparedInput, 'promptField'>,
  morePrompts: string,
): JsonObject[] {
  if (promptField?.several === undefined) return [own];
  const first = promptField.read(own)?.trim();
  const others = promptLines(morePrompts).filter((text) => text !== first);
  return [own, ...others.map((text) => ({ ...own, ...promptField.write(own, text) }))];
}

/** Those of a comparison, each once: older ones may have sent a text twice. */
export function differentInputs(rows: Comparison['rows']): JsonObject[] {
  return [...new Map(rows.map(({ request }) => [JSON.stringify(request), request])).values()];
}

interface SentInput {
  own: JsonObject;
  morePrompts: string;
}

/** The reverse; null if no form makes these rows, such as those of a chain. */
export function readRows(
  rows: Comparison['rows'],
  input: Pick<ComparedInput, 'promptField'>,
): SentInput | null {
  const [own, ...others] = differentInputs(rows);
  if (own === undefined) return null;
  const morePrompts = others.map((request) => input.promptField?.read(request) ?? '').join('\n');
  return isSameJson(rowInputs(own, input, morePrompts), [own, ...others])
    ? { own, morePrompts }
    : null;
}

/** One per line, each once; blank lines are none. */
export function promptLines(morePrompts: string): string[] {
  const lines = morePrompts.split(/\r\n|[\r\n]/).map((line) => line.trim());
  return [...new Set(lines)].filter((line) => line !== '');
}
