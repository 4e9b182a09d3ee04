/** Compares a probe with an earlier one of the same connection. */
import type { RowVerdict, Verdict } from '../check.ts';

export interface VerdictDifference {
  model: string;
  format: RowVerdict['format'];
  rowId: string;
  earlier: Verdict;
  later: Verdict;
}

/**
 * Lists the rows that both probes asked and whose verdict differs. Skips “unclear” verdicts, because
 * a failed request says nothing about the model.
 */
export function listDifferences(
  earlier: readonly RowVerdict[],
  later: readonly RowVerdict[],
): VerdictDifference[] {
  const getKey = ({ model, format, rowId }: RowVerdict) => JSON.stringify([model, format, rowId]);
  const before = new Map(earlier.map((each) => [getKey(each), each]));
  return later.flatMap((each) => {
    const old = before.get(getKey(each));
    if (old === undefined || old.verdict === each.verdict) return [];
    if (old.verdict === 'unclear' || each.verdict === 'unclear') return [];
    const { model, format, rowId } = each;
    return [{ model, format, rowId, earlier: old.verdict, later: each.verdict }];
  });
}
