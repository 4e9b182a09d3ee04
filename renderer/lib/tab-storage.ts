/** Lists that the tab keeps from one page to the next. */
import { ExactNumber } from '../../shared/exact-number.ts';
import type { JsonValue } from '../../shared/json.ts';

export function writeTabStorage(key: string, items: readonly unknown[]): void {
  try {
    if (items.length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(items));
  } catch {
    // More than a tab keeps, or storage is blocked: what was typed since the last pause is lost.
  }
}

export function readTabStorage(key: string): JsonValue[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? '[]', readPrinted);
    return Array.isArray(kept) ? kept : [];
  } catch {
    // Storage is blocked for this site: nothing was kept.
    return [];
  }
}

/** Keeps a number whose digits JavaScript would change. */
function readPrinted(_name: string, value: JsonValue, context?: { source?: string }): JsonValue {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && String(value) !== source
    ? new ExactNumber(source)
    : value;
}
