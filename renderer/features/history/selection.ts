/** The ids from one row to another, in either direction, both included. */
export function between(ids: readonly string[], from: string, to: string): Set<string> {
  const start = ids.indexOf(from);
  const end = ids.indexOf(to);
  if (start === -1 || end === -1) return new Set([to]);
  return new Set(ids.slice(Math.min(start, end), Math.max(start, end) + 1));
}

export function toggled(marked: ReadonlySet<string>, id: string): Set<string> {
  const after = new Set(marked);
  if (!after.delete(id)) after.add(id);
  return after;
}

/** The row to show once these are gone: the next one that stays, else the one before. */
export function neighbourOf(
  ids: readonly string[],
  gone: ReadonlySet<string>,
  shown: string | null,
): string | null {
  if (shown === null || !gone.has(shown)) return shown;
  const at = ids.indexOf(shown);
  const stays = (id: string) => !gone.has(id);
  return ids.slice(at + 1).find(stays) ?? ids.slice(0, Math.max(0, at)).findLast(stays) ?? null;
}
