import { useState } from 'react';
import { formatBytes } from '../../lib/format-quantity.ts';

interface TextFiles {
  add: (files: Iterable<File>) => void;
  /** What is wrong with one of those that were added last; null where nothing is. */
  problem: string | null;
  clearProblem: () => void;
}

/** Text files that the user drops or chooses; `take` receives each, and returns what is wrong with it. */
export function useTextFiles(
  mostMegabytes: number,
  take: (name: string, text: string) => string | null,
): TextFiles {
  const [problem, setProblem] = useState<string | null>(null);

  async function add(files: Iterable<File>): Promise<void> {
    setProblem(null);
    for (const file of files) {
      const { name, size } = file;
      const found =
        size > mostMegabytes * 1_000_000
          ? `${name} is ${formatBytes(size)}. The limit is ${mostMegabytes} MB.`
          : take(name, await file.text());
      if (found !== null) setProblem(found);
    }
  }

  return { add: (files) => void add(files), problem, clearProblem: () => setProblem(null) };
}
