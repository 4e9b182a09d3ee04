import { QueryClient, type QueryKey } from '@tanstack/react-query';

/**
 * The main process is local, so queries never retry or go stale; the change feed refetches them.
 */
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

/** Updates mounted queries until the change feed refetches. Other queries must stay stale. */
export function optimisticUpdate<Data>(queryKey: QueryKey, change: (data: Data) => Data): void {
  queryClient.setQueriesData<Data>({ queryKey, type: 'active' }, (data) => data && change(data));
}
