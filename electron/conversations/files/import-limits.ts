/** Limits how far an imported file can expand: a small file can reference one text many times. */
import { createValueCounter } from '../../base/count-json-values.ts';
import { importError } from './conversation-file.ts';

export interface ImportLimits {
  /** The maximum number of JSON values in a file. */
  values: number;
  /** The maximum number of conversations and messages in a file. */
  nodes: number;
  /** The maximum length of one message, including everything that belongs to it. */
  messageLength: number;
  /** The maximum number of JSON values in one message, which the main process validates at once. */
  messageValues: number;
  /** The maximum total text size of a small file; a larger file is limited to its own size. */
  textBytes: number;
  /** The maximum number of characters to search for references, across all messages. */
  searchedLength: number;
}

export const importLimits: ImportLimits = {
  values: 5_000_000,
  nodes: 100_000,
  messageLength: 16_000_000,
  messageValues: 100_000,
  textBytes: 4 * 1024 * 1024,
  searchedLength: 500_000_000,
};

/** Throws a `UserFacingError` for a file with too many values. */
export function checkValues(bytes: Uint8Array, { values }: Pick<ImportLimits, 'values'>): void {
  if (createValueCounter()(bytes) <= values) return;
  throw importError(`The file has more than ${values / 1e6} million values.`, SPLIT);
}

/** Throws a `UserFacingError` once a limit is exceeded. */
export interface ImportBudget {
  /** Counts a text that a message contains. */
  addText(text: string): void;
  /** Checks the length of text that is being built, but doesn't count it. */
  requireRoom(length: number): void;
  /** Counts text that is searched for references. */
  addSearch(length: number): void;
}

export function createImportBudget(fileBytes: number, limits = importLimits): ImportBudget {
  let textBytes = Math.max(limits.textBytes, fileBytes);
  let searchedLength = limits.searchedLength;
  function requireRoom(length: number): void {
    if (length > textBytes) throw importError('The file repeats its texts too often.');
  }

  return {
    requireRoom,
    addText(text) {
      const length = Buffer.byteLength(text);
      requireRoom(length);
      textBytes -= length;
    },
    addSearch(length) {
      searchedLength -= length;
      if (searchedLength < 0) {
        throw importError('The file has too many references in long texts.', SPLIT);
      }
    },
  };
}

export const SPLIT = 'Nothing was imported. Split the file, then import the parts.';
