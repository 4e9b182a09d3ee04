import type { Tool } from '../../../../shared/operations/chat/message.ts';
import type { SavedTool } from '../../../../shared/tool.ts';
import { api, orpc } from '../../../lib/api.ts';
import { optimisticUpdate } from '../../../lib/query-client.ts';
import { offerUndo } from '../../../lib/undo.ts';
import { useAttempt } from '../../../lib/use-attempt.ts';

/** Where Undo is offered for a tool. */
export const toolsPlace = 'tools';

/** Keeps tools in main, and says why where that did not work. */
export function useToolSaving() {
  const { busy, error, attempt } = useAttempt();
  return {
    busy,
    error,
    save: (id: string | null, tool: Tool, onSaved: (saved: SavedTool) => void) =>
      attempt(async () => {
        const saved = await api.tools.save({ id, tool });
        optimisticUpdate<SavedTool[]>(orpc.tools.list.key(), (tools) => withSaved(tools, saved));
        onSaved(saved);
      }),
    remove: ({ id, tool }: SavedTool) =>
      attempt(async () => {
        const { deletionId } = await api.tools.remove({ id });
        if (deletionId === null) return;
        offerUndo({
          message: `“${tool.function.name}” deleted`,
          several: { words: '# tools deleted' },
          place: toolsPlace,
          undo: deletionId,
        });
      }),
  };
}

/** By name, as main lists them. */
function withSaved(tools: SavedTool[], saved: SavedTool): SavedTool[] {
  const others = tools.filter(({ id }) => id !== saved.id);
  const behind = others.findIndex(({ tool }) => tool.function.name > saved.tool.function.name);
  return behind < 0 ? [...others, saved] : others.toSpliced(behind, 0, saved);
}
