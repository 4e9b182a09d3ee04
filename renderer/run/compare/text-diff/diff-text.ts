/** Differences as text to copy. */
import type { DiffRun } from '../metrics/word-diff.ts';
import type { JsonChange } from './json-change.ts';

/** As `wdiff` of GNU writes it: `[-removed-]` and `{+added+}`. */
export function wordDiffText(runs: readonly DiffRun[]): string {
  return runs
    .map(({ kind, text }) => {
      if (kind === 'same') return text;
      const [, before = '', core = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
      if (core === '') return text;
      return before + (kind === 'removed' ? `[-${core}-]` : `{+${core}+}`) + after;
    })
    .join('');
}

/** A line for each side of a difference: `- path: value`, `+ path: value`. */
export function jsonDiffText(changes: readonly JsonChange[]): string {
  return changes
    .flatMap(({ path, before, after }) => [
      ...(before === null ? [] : [`- ${path}: ${before}`]),
      ...(after === null ? [] : [`+ ${path}: ${after}`]),
    ])
    .join('\n');
}
