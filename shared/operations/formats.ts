/** Describes the wire formats of an operation for forms. */
import type { JsonValue } from '../json.ts';
import type { OperationName } from './operation-name.ts';
import { operations } from './operations.ts';

/** Resetting the parameters keeps this field, like the model. */
export const FORMAT = 'format';

/** The default format, whose name is empty, comes first; empty if there is only one. */
export function listFormats(name: OperationName): { name: string; title: string }[] {
  const { formats = [], defaultFormat } = operations[name];
  if (defaultFormat === undefined) return [];
  return [{ name: '', title: defaultFormat.title }, ...formats];
}

const none: ReadonlySet<string> = new Set();

interface UnsentFields {
  /** The title of the chosen format; empty if the operation has only one. */
  title: string;
  fields: ReadonlySet<string>;
  /** True for the default format, if the fields belong to the other formats. */
  isDefault: boolean;
}

/** Returns the fields that the format can't send. */
export function findUnsentFields(name: OperationName, format: JsonValue | undefined): UnsentFields {
  const { formats = [], defaultFormat } = operations[name];
  const chosen = formats.find((known) => known.name === format) ?? defaultFormat;
  return {
    title: chosen?.title ?? '',
    fields: chosen?.unsent ?? none,
    isDefault: chosen === defaultFormat,
  };
}
