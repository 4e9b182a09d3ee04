import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { JsonObject } from '../../../shared/json.ts';
import { api } from '../../lib/api.ts';

/** What a run was asked, as its panel stated it. It never changes. */
export interface RecordedRequest {
  request: JsonObject;
  extraBody: JsonObject;
}

/** Null until it has come, and for a run that is gone. The panel's own boxes may have changed since. */
export function useRecordedRequest(runId: string | null): RecordedRequest | null {
  const { data } = useQuery({
    queryKey: keyOf(runId ?? ''),
    queryFn: async (): Promise<RecordedRequest> => {
      const { request, extraBody } = await api.runs.get({ id: runId ?? '' });
      return { request, extraBody };
    },
    enabled: runId !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? null;
}

/** What was just started needs no asking. */
export function noteRequest(queries: QueryClient, runId: string, asked: RecordedRequest): void {
  queries.setQueryData(keyOf(runId), asked);
}

function keyOf(runId: string) {
  return ['recorded-request', runId] as const;
}
