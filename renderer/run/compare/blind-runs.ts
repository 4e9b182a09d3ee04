/** What lists and records of runs say while a comparison hides whose they are. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { RunSummary } from '../../../shared/run.ts';
import { orpc } from '../../lib/api.ts';

export const blindLabel = 'Hidden while Blind is on';

type OfComparison = Pick<RunSummary, 'comparisonId'>;

/** Whether the comparison of a run hides its names; all do until main has said which. */
export function useIsBlind(): (run: OfComparison) => boolean {
  const { data } = useQuery(orpc.comparisons.blind.queryOptions());
  return useCallback(
    ({ comparisonId }) => comparisonId !== null && (data?.includes(comparisonId) ?? true),
    [data],
  );
}

/** Those of a blind comparison without model, connection and what was sent. */
export function useBlindRuns(runs: RunSummary[]): RunSummary[] {
  const isBlind = useIsBlind();
  return useMemo(
    () => runs.map((run) => (isBlind(run) ? withoutNames(run) : run)),
    [runs, isBlind],
  );
}

function withoutNames(run: RunSummary): RunSummary {
  return { ...run, model: blindLabel, connectionName: '', preview: '', error: null };
}
