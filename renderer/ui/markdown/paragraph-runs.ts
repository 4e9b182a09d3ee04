import { copyString } from '../../../shared/copy-string.ts';

const RUN_LENGTH = 2000;
const MAX_RUN = 6000;
const MAX_TRIES = 40;

/**
 * Splits a paragraph using only the text before each boundary, so boundaries stay as text grows.
 */
export function splitParagraph(raw: string): string[] {
  const runs: string[] = [];
  let start = 0;
  while (raw.length - start > RUN_LENGTH) {
    const end = findCut(raw, start);
    if (end === null) break;
    // Copy the run: React keeps the string, and a slice would keep the whole paragraph in memory.
    runs.push(copyString(raw.slice(start, end)));
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
    // Wait for the character after the space before deciding.
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
    count(/\$/g) % 2 === 0 &&
    count(/\[/g) === count(/\]/g) &&
    count(/\(/g) === count(/\)/g)
  );
}
