/** Where a run of a very long paragraph may end: no code, link or emphasis is open there. */
const RUN_LENGTH = 2000;
const MAX_RUN = 6000;
const MAX_TRIES = 40;

/**
 * Cuts a long paragraph into runs that are lexed and committed one by one. A cut depends only on
 * what is before it, so it does not move while the paragraph grows.
 */
export function paragraphRuns(raw: string): string[] {
  const runs: string[] = [];
  let start = 0;
  while (raw.length - start > RUN_LENGTH) {
    const end = findCut(raw, start);
    if (end === null) break;
    runs.push(raw.slice(start, end));
    start = end;
  }
  runs.push(raw.slice(start));
  return runs;
}

function findCut(raw: string, start: number): number | null {
  const space = /\s/g;
  space.lastIndex = start + RUN_LENGTH;
  let tries = 0;
  for (let match = space.exec(raw); match !== null; match = space.exec(raw)) {
    const end = match.index + 1;
    tries += 1;
    if (end - start > MAX_RUN) break;
    // The character behind the space belongs to the decision: it must have arrived.
    if (end < raw.length && (tries > MAX_TRIES || isSettled(raw.slice(start, end)))) return end;
  }
  return raw.length - start > MAX_RUN ? start + MAX_RUN : null;
}

function isSettled(run: string): boolean {
  const count = (pattern: RegExp) => run.match(pattern)?.length ?? 0;
  return (
    count(/`/g) % 2 === 0 &&
    count(/\*\*/g) % 2 === 0 &&
    count(/(?<!\*)\*(?!\*)/g) % 2 === 0 &&
    count(/~~/g) % 2 === 0 &&
    count(/\[/g) === count(/\]/g) &&
    count(/\(/g) === count(/\)/g)
  );
}
