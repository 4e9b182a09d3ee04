import { useQuery } from '@tanstack/react-query';
import type { RunSummary } from '../../../shared/run.ts';
import { orpc } from '../../lib/api.ts';
import { panelLabel } from '../../lib/panels.ts';
import { useBlindRuns } from '../../run/compare/live-comparisons.ts';
import { Button } from '../../ui/button.tsx';
import { useHistory } from './history-store.ts';
import { Fact } from './record-fact.tsx';
import { useListedComparison } from './use-listed-comparison.ts';

/** What a run belongs to: its comparison, the run with whose result it begins, and those that begin with its own. */
export function RunChain({ run }: { run: RunSummary }) {
  const { data } = useQuery(orpc.runs.chain.queryOptions({ input: { id: run.id } }));
  const { showRun, showComparison } = useHistory.getState();
  const comparison = useListedComparison(run.comparisonId).entry?.comparison;
  const [source] = useBlindRuns(data?.source ? [data.source] : []);
  const next = useBlindRuns(data?.next ?? []);
  const link = (one: RunSummary) => (
    <Button key={one.id} size="small" onClick={() => showRun(one.id)}>
      {panelLabel(one.operation)}: {one.preview || one.model || 'no text'}
    </Button>
  );
  return (
    <>
      {comparison !== undefined && (
        <Fact name="Part of">
          <Button size="small" onClick={() => showComparison(comparison.id)}>
            Comparison: {comparison.title}
          </Button>
        </Fact>
      )}
      {run.sourceRunId !== null && data !== undefined && (
        <Fact name="Started from">{source === undefined ? 'A deleted run' : link(source)}</Fact>
      )}
      {next.length > 0 && <Fact name="Continued in">{next.map(link)}</Fact>}
    </>
  );
}
