import { useMutation, useQuery } from '@tanstack/react-query';
import { defaultSettings, type Settings } from '../../shared/settings.ts';
import { orpc } from './api.ts';
import { queryClient } from './query-client.ts';

/** Returns the saved settings, or the defaults while loading. */
export function useSettings(): Settings {
  return useQuery(orpc.settings.get.queryOptions()).data ?? defaultSettings;
}

export function setSettings(settings: Settings): void {
  queryClient.setQueryData(orpc.settings.get.queryKey(), settings);
}

/** Updates settings optimistically and rolls back if the main process rejects them. */
export function useUpdateSettings() {
  const queryKey = orpc.settings.get.queryKey();
  return useMutation({
    ...orpc.settings.update.mutationOptions(),
    onMutate: (change) => {
      const before = queryClient.getQueryData(queryKey);
      queryClient.setQueryData(queryKey, mergeChange(before ?? defaultSettings, change));
      return { before };
    },
    onError: (_error, _change, context) => {
      if (context?.before !== undefined) queryClient.setQueryData(queryKey, context.before);
      void queryClient.invalidateQueries({ queryKey });
    },
    onSuccess: setSettings,
  });
}

function mergeChange(
  before: Settings,
  change: { [Key in keyof Settings]?: Settings[Key] | undefined },
): Settings {
  return {
    ...before,
    ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
  };
}
