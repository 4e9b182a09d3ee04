import { useQuery } from '@tanstack/react-query';
import type { RunSummary } from '../../shared/run.ts';
import { orpc } from './api.ts';

/** The runs in progress, in whatever panel or window they were started. */
export function useActiveRuns(): readonly RunSummary[] {
  return useQuery(orpc.runs.active.queryOptions()).data ?? none;
}

const none: readonly RunSummary[] = [];
