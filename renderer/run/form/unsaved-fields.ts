/** What main did not have yet when the page went away: kept by the tab, and written by the page that comes next. */
import { isJsonObject, type JsonValue } from '../../../shared/json.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { linkOpen } from '../../lib/link-state.ts';
import { operationNames } from '../../lib/panels.ts';
import { readTabStorage, writeTabStorage } from '../../lib/tab-storage.ts';

const KEY = 'gatehouse:unwritten-forms';

/** Some fields of one form, as sent to main. */
export interface UnwrittenFields {
  id: string;
  content: { operation: OperationName; fields: object };
  unset: string[];
}

/** What the page before had left behind and main does not have yet. */
let left: UnwrittenFields[] = [];

export function unsavedFromLastPage(): readonly UnwrittenFields[] {
  return left;
}

/** A page that leaves cannot wait for main: a long text would be cut off on its way. */
export function keepUnwritten(forms: readonly UnwrittenFields[]): void {
  writeTabStorage(KEY, [...left, ...forms]);
}

/** Resolves when main has what the page before had left behind; waits for the link where that is not open yet. */
export async function flushUnsaved(): Promise<void> {
  left = readTabStorage(KEY).flatMap(readUnwritten);
  for (let [form] = left; form !== undefined; [form] = left) {
    try {
      await api.forms.change({ ...form, after: null });
    } catch (cause) {
      // What main refuses is of no use.
      if (toAppError(cause).kind === 'unreachable') {
        await linkOpen(new AbortController().signal);
        continue;
      }
    }
    left = left.slice(1);
    keepUnwritten([]);
  }
}

function readUnwritten(kept: JsonValue): UnwrittenFields[] {
  if (!isJsonObject(kept) || !isJsonObject(kept.content) || !Array.isArray(kept.unset)) return [];
  const { id, content } = kept;
  const operation = operationNames.find((name) => name === content.operation);
  if (typeof id !== 'string' || operation === undefined || !isJsonObject(content.fields)) return [];
  const unset = kept.unset.filter((name) => typeof name === 'string');
  return [{ id, content: { operation, fields: content.fields }, unset }];
}
