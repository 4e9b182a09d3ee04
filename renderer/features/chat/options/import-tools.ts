import { isSameJson, toJson } from '../../../../shared/json.ts';
import type { Tool } from '../../../../shared/operations/chat/message.ts';
import type { ReadTool } from '../../../../shared/pasted/read-tools.ts';
import type { SavedTool } from '../../../../shared/saved-items.ts';
import { answeredByYou } from '../../../../shared/tool-answer.ts';
import { api } from '../../../lib/api.ts';
import { checkTool } from './check-definitions.ts';

export type PlannedTool =
  | { state: 'new'; name: string; tool: Tool }
  | { state: 'same' | 'changed'; name: string; tool: Tool; saved: SavedTool }
  | { state: 'invalid'; name: string; problem: string };

/** Compares tools with the saved ones by name. */
export function planImport(
  tools: readonly ReadTool[],
  savedTools: readonly SavedTool[],
): PlannedTool[] {
  const byName = new Map(savedTools.map((saved) => [saved.tool.function.name, saved]));
  return tools.map((read) => {
    const { name } = read;
    if ('problem' in read) return { state: 'invalid', name, problem: read.problem };
    const { tool } = read;
    const error = checkTool(toJson(tool), []).find(({ severity }) => severity === 'error');
    if (error !== undefined) return { state: 'invalid', name, problem: error.message };
    const saved = byName.get(name);
    if (saved === undefined) return { state: 'new', name, tool };
    const isSame = isSameJson(toJson(saved.tool), toJson(tool));
    return { state: isSame ? 'same' : 'changed', name, tool, saved };
  });
}

export interface ImportedTool {
  /** Null for a new tool. */
  before: SavedTool | null;
  after: SavedTool;
}

/** Saves a tool as planned; a replaced tool keeps its answer. Returns null for an invalid tool. */
export async function importTool(planned: PlannedTool): Promise<ImportedTool | null> {
  switch (planned.state) {
    case 'invalid':
      return null;
    case 'same':
      return { before: planned.saved, after: planned.saved };
    case 'new': {
      const { tool } = planned;
      return {
        before: null,
        after: await api.saved.tools.save({ id: null, tool, answer: answeredByYou }),
      };
    }
    case 'changed': {
      const { tool, saved } = planned;
      const { id, answer } = saved;
      return { before: saved, after: await api.saved.tools.save({ id, tool, answer }) };
    }
  }
}

/** Restores definitions and removes new tools, except those that were edited since. */
export async function undoImport(imported: readonly ImportedTool[]): Promise<void> {
  const now = await api.saved.tools.list();
  for (const { before, after } of imported) {
    const current = now.find(({ id }) => id === after.id);
    if (current === undefined || !isSameJson(toJson(current.tool), toJson(after.tool))) continue;
    const { id, answer } = current;
    if (before === null) {
      if (isSameJson(answer, after.answer)) await api.saved.remove({ id });
    } else if (!isSameJson(toJson(before.tool), toJson(after.tool))) {
      await api.saved.tools.save({ id, tool: before.tool, answer });
    }
  }
}
