import { useState } from 'react';
import { describeOverLimit, formatBytes } from '../../lib/format-quantity.ts';

interface TextFiles {
  add: (files: Iterable<File>) => void;
  /** The error from the most recently added files; null if there was none. */
  problem: string | null;
  clearProblem: () => void;
}

type Limit = { megabytes: number } | { characters: number };

/** Reads text files that were chosen or dropped; `take` returns an error or null. */
export function useTextFiles(
  limit: Limit,
  take: (name: string, text: string) => string | null,
): TextFiles {
  const [problem, setProblem] = useState<string | null>(null);

  async function add(files: Iterable<File>): Promise<void> {
    setProblem(null);
    for (const file of files) {
      const found = findSizeProblem(file, limit) ?? takeText(file.name, await file.text());
      if (found !== null) setProblem(found);
    }
  }

  function takeText(name: string, text: string): string | null {
    const over = 'characters' in limit ? describeOverLimit(text.length, limit.characters) : null;
    return over === null ? take(name, text) : `${name}: ${over}`;
  }

  return { add: (files) => void add(files), problem, clearProblem: () => setProblem(null) };
}

const maxBytesOfCharacter = 3;

/** Returns an error for a file that is too large to be read. */
function findSizeProblem({ name, size }: File, limit: Limit): string | null {
  if ('megabytes' in limit) {
    return size > limit.megabytes * 1_000_000
      ? `${name} is ${formatBytes(size)}. The limit is ${limit.megabytes} MB.`
      : null;
  }
  return size > limit.characters * maxBytesOfCharacter
    ? `${name} is ${formatBytes(size)}. The limit is ${limit.characters.toLocaleString('en')} characters.`
    : null;
}
