import { expect, it } from 'vitest';
import type { RowVerdict, Verdict } from '../../shared/checks/check.ts';
import { listDifferences } from '../../shared/checks/probe/differences.ts';

function found(rowId: string, verdict: Verdict, more: Partial<RowVerdict> = {}): RowVerdict {
  const common = { sentence: 'So it was.', chance: null, evidence: null, atMs: 0 };
  return { model: 'small-1', format: '', rowId, verdict, ...common, ...more };
}

it('lists rows whose verdict changed, except for those that one probe can’t tell', () => {
  const earlier = [
    found('seed', 'honored'),
    found('stop', 'honored'),
    found('n', 'unclear'),
    found('logprobs', 'rejected'),
    found('tools-auto', 'honored'),
    found('temperature', 'ignored', { format: 'messages' }),
  ];
  const later = [
    found('seed', 'ignored'),
    found('stop', 'honored', { atMs: 5, sentence: 'So it is.' }),
    found('n', 'honored'),
    found('logprobs', 'unclear'),
    found('temperature', 'honored'),
    found('tools-auto', 'rejected', { model: 'small-2' }),
  ];
  expect(listDifferences(earlier, later)).toEqual([
    { model: 'small-1', format: '', rowId: 'seed', earlier: 'honored', later: 'ignored' },
  ]);
});
