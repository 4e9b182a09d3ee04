import { useState } from 'react';
import { formatBytes } from '../../lib/format-quantity.ts';
import { overLimit } from '../../lib/over-limit.ts';

interface TextFiles {
  add: (files: Iterable<File>) => void;
  /** What is wrong with one of those that were added last; null if nothing is. */
  problem: string | null;
  clearProblem: () => void;
}

type Limit = { megabytes: number } | { characters: number };

/** Text files that the user drops or chooses; `take` receives each, and returns what is wrong with it. */
export function useTextFiles(
  limit: Limit,
  take: (name: string, text: string) => string | null,
): TextFiles {
  const [problem, setProblem] = useState<string | null>(null);

  async function add(files: Iterable<File>): Promise<void> {
    setProblem(null);
    for (const file of files) {
      const found = sizeProblem(file, limit) ?? taken(file.name, await file.text());
      if (found !== null) setProblem(found);
    }
  }

  function taken(name: string, text: string): string | null {
    const over = 'characters' in limit ? overLimit(text.length, limit.characters) : null;
    return over === null ? take(name, text) : `${name}: ${over}`;
  }

  return { add: (files) => void add(files), problem, clearProblem: () => setProblem(null) };
}

/** UTF-8 has at most so many bytes for each UTF-16 code unit. */
const maxBytesOfCharacter = 3;

/** Of a file that need not be read to know that it is too long. */
function sizeProblem({ name, size }: File, limit: Limit): string | null {
  if ('megabytes' in limit) {
    return size > limit.megabytes * 1_000_000
      ? `${name} is ${formatBytes(size)}. The limit is ${limit.megabytes} MB.`
      : null;
  }
  return size > limit.characters * maxBytesOfCharacter
    ? `${name} is ${formatBytes(size)}. The limit is ${limit.characters.toLocaleString('en')} characters.`
    : null;
}
