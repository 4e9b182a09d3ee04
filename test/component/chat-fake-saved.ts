/** Fakes the saved tools, tool sets and presets of Chat. */
import type { ParameterPreset, SavedTool, ToolSet } from '../../shared/saved-items.ts';
import { answeredByYou, type ToolAnswer } from '../../shared/tool-answer.ts';
import { changes, nextId, recordDeletion } from './chat-fake-state.ts';
import type { StandIn } from './stand-in.ts';

type SavedToolInput = Pick<SavedTool, 'tool'> & {
  id: string | null;
  answer?: ToolAnswer | undefined;
};

export const savedTools: SavedTool[] = [];
export const toolSets: ToolSet[] = [];
export const presets: ParameterPreset[] = [];

/** Replaces the item with the same ID, or adds it. */
function putSaved<Item extends { id: string }>(items: Item[], item: Item): Item {
  const at = items.findIndex(({ id }) => id === item.id);
  if (at === -1) items.push(item);
  else items[at] = item;
  changes.announce('saved-items');
  return item;
}

/** Returns null for an unknown item. */
function removeSaved<Item extends { id: string }>(items: Item[], id: string): string | null {
  const at = items.findIndex((one) => one.id === id);
  if (at === -1) return null;
  const removed = items.splice(at, 1);
  changes.announce('saved-items');
  return recordDeletion(() => {
    items.splice(at, 0, ...removed);
    changes.announce('saved-items');
  });
}

export const savedProcedures = {
  presets: {
    list: async () => [...presets],
    save: async (input: Omit<ParameterPreset, 'id'>) =>
      putSaved(presets, { ...input, id: nextId('preset') }),
  },
  tools: {
    list: async () => [...savedTools],
    save: async ({ id, tool, answer = answeredByYou }: SavedToolInput) =>
      putSaved(savedTools, { id: id ?? nextId('tool'), tool, answer }),
  },
  toolSets: {
    list: async () => [...toolSets],
    save: async (input: Omit<ToolSet, 'id'>) => {
      const known = toolSets.find(({ name }) => name === input.name);
      return putSaved(toolSets, { ...input, id: known?.id ?? nextId('set') });
    },
  },
  remove: async ({ id }: { id: string }) => ({
    deletionId: removeSaved(savedTools, id) ?? removeSaved(toolSets, id),
  }),
} satisfies StandIn['saved'];
