import { QueryClient, type QueryKey } from '@tanstack/react-query';

/** Queries never retry or go stale, because the main process is local and reports changes. */
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

/** Updates mounted queries before the change feed refetches; other queries must remain stale. */
export function updateOptimistically<Data>(queryKey: QueryKey, change: (data: Data) => Data): void {
  queryClient.setQueriesData<Data>({ queryKey, type: 'active' }, (data) => data && change(data));
}
