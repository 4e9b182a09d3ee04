/** Keeps lists in session storage, so that they survive a reload. */
import { ExactNumber } from '../../shared/exact-number.ts';
import type { JsonValue } from '../../shared/json.ts';

export function writeTabStorage(key: string, items: readonly unknown[]): void {
  try {
    if (items.length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(items));
  } catch {
    // Storage is full or blocked, so a reload loses any text typed since the last save.
  }
}

export function readTabStorage(key: string): JsonValue[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? '[]', readPrinted);
    return Array.isArray(kept) ? kept : [];
  } catch {
    // The browser blocks storage for this site.
    return [];
  }
}

/** Keeps the digits of numbers that JavaScript would round. */
function readPrinted(_name: string, value: JsonValue, context?: { source?: string }): JsonValue {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && String(value) !== source
    ? new ExactNumber(source)
    : value;
}
