/** What main did not have yet when the page went away: kept by the tab, and written by the page that comes next. */
import { isJsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { operationNames } from '../../lib/panels.ts';

const KEY = 'gatehouse:unwritten-forms';

/** Some fields of one form, as main is asked to write them. */
export interface UnwrittenFields {
  id: string;
  content: { operation: OperationName; fields: object };
  unset: string[];
}

/** A page that leaves cannot wait for main: a long text would be cut off on its way. */
export function keepUnwritten(forms: readonly UnwrittenFields[]): void {
  try {
    if (forms.length === 0) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(forms));
  } catch {
    // More than a tab keeps: what was typed since the last pause is lost.
  }
}

/** Settles when main has what the page before had left behind. */
export async function writeKept(): Promise<void> {
  const kept = parseJson(sessionStorage.getItem(KEY) ?? '[]');
  const forms = Array.isArray(kept) ? kept.flatMap(readUnwritten) : [];
  for (const form of forms) {
    try {
      await api.forms.change({ ...form, after: null });
    } catch (cause) {
      // What main refuses is of no use; without main it waits for the next page.
      if (toAppError(cause).kind === 'unreachable') return;
    }
  }
  keepUnwritten([]);
}

function readUnwritten(kept: JsonValue): UnwrittenFields[] {
  if (!isJsonObject(kept) || !isJsonObject(kept.content) || !Array.isArray(kept.unset)) return [];
  const { id, content } = kept;
  const operation = operationNames.find((name) => name === content.operation);
  if (typeof id !== 'string' || operation === undefined || !isJsonObject(content.fields)) return [];
  const unset = kept.unset.filter((name) => typeof name === 'string');
  return [{ id, content: { operation, fields: content.fields }, unset }];
}
