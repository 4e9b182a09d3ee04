import { QueryClient, type QueryKey } from '@tanstack/react-query';

/** Main is on this machine: no retries and no staleness; the change feed says what to ask again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      retry: false,
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/**
 * Shows what main answered before the change feed has asked again. Only in queries that are on the
 * page: one that waits to be asked again must not be taken for fresh.
 */
export function showAtOnce<Data>(queryKey: QueryKey, change: (data: Data) => Data): void {
  queryClient.setQueriesData<Data>({ queryKey, type: 'active' }, (data) => data && change(data));
}
