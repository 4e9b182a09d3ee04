/** Defines an HTTP request that was read from pasted text. */
import type { JsonValue } from '../json.ts';
import type { HeaderList } from '../run.ts';

export type PastedSource = 'curl' | 'powershell' | 'fetch' | 'har' | 'body';

export type PastedBody =
  | { kind: 'none' }
  | { kind: 'json'; value: JsonValue }
  | { kind: 'text'; text: string }
  /** The content of files can't be pasted, so only their names are known. */
  | { kind: 'form'; fields: [name: string, value: string][]; files: PastedFile[] };

export interface PastedFile {
  /** The name of the form's field. */
  field: string;
  fileName: string;
}

export interface PastedRequest {
  source: PastedSource;
  method: string;
  /** As written, possibly with variables; null if only a body was pasted. */
  url: string | null;
  headers: HeaderList;
  body: PastedBody;
  /** Sentences about parts that couldn't be read, such as a file. */
  notes: string[];
}

/** The text is a request that can't be read; the message says which part and why. */
export class PastedTextError extends Error {
  override name = 'PastedTextError';
}

/** Stops the reader, because the rest of the text can't be read either. */
export class FinalPastedTextError extends PastedTextError {
  override name = 'FinalPastedTextError';
}

/** The rest of the text is inside the open mark. */
export class UnclosedError extends FinalPastedTextError {
  override name = 'UnclosedError';

  /** `index` counts from 0; the position in the message counts from 1. */
  constructor(mark: string, index: number) {
    super(`The ${mark} at character ${formatPosition(index)} isn’t closed.`);
  }
}

/** The reader of a language can't read the character at `index`. */
export class UnexpectedError extends PastedTextError {
  override name = 'UnexpectedError';

  constructor(language: string, text: string, index: number) {
    const [found] = /^(?:\.\.\.|[\s\S])/u.exec(text.slice(index, index + 3)) ?? [];
    super(
      found === undefined
        ? `The ${language} ends too early.`
        : `The ${language} at character ${formatPosition(index)} can’t be read: “${found}”.`,
    );
  }
}

export function formatPosition(index: number): string {
  return (index + 1).toLocaleString('en-US');
}

/** Deeper text would overflow the stack, and no real request nests this deep. */
export const MAX_PASTED_DEPTH = 200;
/** A text with more commands that can't be read isn't a script, and each error takes time. */
export const MAX_PASTED_PROBLEMS = 1000;
const MAX_EXPANDED_LENGTH = 16 * 1024 * 1024;

/** Limits text that variables repeat, because `$a$a` doubles with every assignment. */
export function createExpansionBudget(): (length: number) => void {
  let spent = 0;
  return (length) => {
    spent += length;
    if (spent > MAX_EXPANDED_LENGTH) throw new FinalPastedTextError('Its variables are too long.');
  };
}

export function readContentType(headers: HeaderList): string {
  const found = headers.find(([name]) => name.toLowerCase() === 'content-type');
  return found?.[1].toLowerCase() ?? '';
}
