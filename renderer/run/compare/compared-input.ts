/** Defines the input fields that may differ between a panel's variants. */

import type { ComparedVariant, Comparison } from '../../../shared/comparison.ts';
import type { FormValues } from '../../../shared/form.ts';
import { isSameJson, type JsonObject } from '../../../shared/json.ts';
import { findUnsentFields } from '../../../shared/operations/formats.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';

export interface ComparedInput {
  /** Returns the comparison's title; defaults to the prompt. */
  title?: (own: JsonObject) => string;
  /** Null if variants can't have their own text. */
  promptField: PromptField | null;
  /** Undefined if the input isn't part of the form, as in a conversation. */
  own?: InputMapping;
  /** Lists settings that may differ between variants but aren't parameters. */
  settings?: ComparedSettings;
  owned?: readonly string[];
  maxVariants?: number;
  isOnce?: boolean;
}

export interface InputMapping {
  /** Returns the request fields for the form's input. */
  write: (input: FormValues<OperationName>['input']) => JsonObject;
  read: (request: JsonObject) => Partial<FormValues<OperationName>['input']>;
}

export interface PromptField {
  label: string;
  /** Undefined if the panel supports only a single text. */
  several?: string;
  /** Returns the request fields with the text. */
  write: (own: JsonObject, text: string) => JsonObject;
  /** Returns null if the request has no text. */
  read: (sent: JsonObject) => string | null;
}

export interface ComparedSettings {
  fields: (input: FormValues<OperationName>['input']) => readonly ComparedSetting[];
  /** Returns the request fields with the settings. */
  write: (own: JsonObject, settings: Readonly<Record<string, string>>) => JsonObject;
  /** Returns the settings of `sent` that differ from `own`. */
  read: (own: JsonObject, sent: JsonObject) => Record<string, string>;
}

export interface ComparedSetting {
  name: string;
  label: string;
  /** The form's value; empty if the request omits the setting. */
  value: string;
  suggestions: readonly string[];
}

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

/** Returns settings that differ from the form, in field order. */
export function pickDifferingSettings(
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

/** Returns the input of each row: the panel's own, then each additional prompt. */
export function listRowInputs(
  own: JsonObject,
  { promptField }: Pick<ComparedInput, 'promptField'>,
  morePrompts: string,
): JsonObject[] {
  if (promptField?.several === undefined) return [own];
  const first = promptField.read(own)?.trim();
  const others = listPrompts(morePrompts).filter((text) => text !== first);
  return [own, ...others.map((text) => ({ ...own, ...promptField.write(own, text) }))];
}

export function listDistinctInputs(rows: Comparison['rows']): JsonObject[] {
  return [...new Map(rows.map(({ request }) => [JSON.stringify(request), request])).values()];
}

/** Omits fields that no format of the variants sends. */
export function omitUnsent(
  operation: OperationName,
  variants: readonly Pick<ComparedVariant, 'request'>[],
  request: JsonObject,
): JsonObject {
  const unsent = variants.map((variant) => findUnsentFields(operation, variant.request).fields);
  const isSent = ([name]: [string, unknown]) =>
    variants.length === 0 || unsent.some((names) => !names.has(name));
  return Object.fromEntries(Object.entries(request).filter(isSent));
}

/** Merges the sent request into the form's input; fields that no variant sends stay unchanged. */
export function readSentInput(
  operation: OperationName,
  variants: readonly Pick<ComparedVariant, 'request'>[],
  own: InputMapping,
  { values, sent }: { values: FormValues<OperationName>['input']; sent: JsonObject },
): Partial<FormValues<OperationName>['input']> {
  const now = own.write(values);
  const compared = omitUnsent(operation, variants, now);
  const unsent = Object.entries(now).filter(([name]) => !Object.hasOwn(compared, name));
  return own.read({ ...Object.fromEntries(unsent), ...sent });
}

interface SentInput {
  own: JsonObject;
  morePrompts: string;
}

/** Returns null if the form can't represent the rows. */
export function readRows(
  rows: Comparison['rows'],
  input: Pick<ComparedInput, 'promptField'>,
): SentInput | null {
  const [own, ...others] = listDistinctInputs(rows);
  if (own === undefined) return null;
  const texts = others.map((request) => input.promptField?.read(request) ?? '');
  const morePrompts = joinPrompts(texts);
  return isSameJson(listRowInputs(own, input, morePrompts), [own, ...others])
    ? { own, morePrompts }
    : null;
}

/** Splits the text into prompts, without blanks and duplicates; `\n` stands for a line break. */
export function listPrompts(morePrompts: string): string[] {
  const lines = morePrompts.split(/\r\n|[\r\n]/).map((line) => line.trim().replaceAll('\\n', '\n'));
  return [...new Set(lines)].filter((line) => line.trim() !== '');
}

/** Returns a text that `listPrompts` splits into the same prompts. */
export function joinPrompts(prompts: readonly string[]): string {
  return prompts.map((text) => text.replaceAll(/\r\n|[\r\n]/g, '\\n')).join('\n');
}
