import { QueryClient, type QueryKey } from '@tanstack/react-query';

/** Main is on this machine: no retries and no staleness; the change feed says what to refetch. */
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
 * Shows what main answered before the change feed refetches. Only in queries that are on the
 * page: one that waits to be refetched must not count as fresh.
 */
export function optimisticUpdate<Data>(queryKey: QueryKey, change: (data: Data) => Data): void {
  queryClient.setQueriesData<Data>({ queryKey, type: 'active' }, (data) => data && change(data));
}
