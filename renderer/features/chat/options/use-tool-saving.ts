import { useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { Tool } from '../../../../shared/operations/chat/message.ts';
import type { SavedTool } from '../../../../shared/tool.ts';
import { api, orpc } from '../../../lib/api.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { queryClient } from '../../../lib/query-client.ts';

/** Keeps tools in main; answers null and says why where that did not work. */
export function useToolSaving() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);

  async function attempt<Result>(work: () => Promise<Result>): Promise<Result | null> {
    setBusy(true);
    setError(null);
    try {
      const result = await work();
      await queryClient.invalidateQueries({ queryKey: orpc.tools.key() });
      return result;
    } catch (cause) {
      setError(toAppError(cause));
      return null;
    } finally {
      setBusy(false);
    }
  }

  return {
    busy,
    error,
    save: (id: string | null, tool: Tool): Promise<SavedTool | null> =>
      attempt(() => api.tools.save({ id, tool })),
    remove: (id: string) => attempt(() => api.tools.remove({ id })),
  };
}
