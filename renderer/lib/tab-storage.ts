/** Lists that the tab keeps from one page to the next. */
import { type JsonValue, parseJson } from '../../shared/json.ts';

export function keepInTab(key: string, items: readonly unknown[]): void {
  try {
    if (items.length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(items));
  } catch {
    // More than a tab keeps, or storage is blocked: what was typed since the last pause is lost.
  }
}

export function keptInTab(key: string): JsonValue[] {
  try {
    const kept = parseJson(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    // Storage is blocked for this site: nothing was kept.
    return [];
  }
}
