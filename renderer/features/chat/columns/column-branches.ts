import {
  type Cell,
  type Comparison,
  getCellVariant,
  isSameRequest,
} from '../../../../shared/comparison.ts';
import type { ComparisonNotes } from '../../../../shared/comparison-notes.ts';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import { listPreviousSettings } from '../../../run/compare/compare-columns.ts';
import type { CompareColumn } from '../../../run/compare/compare-panel.ts';
import { getChoices, getPath } from '../conversation/branch.ts';

export interface ColumnBranch {
  /** The messages from the root to the one that the column continues from. */
  path: readonly TreeMessage[];
  /** The cell of the newest request. */
  cell: Cell;
  /** All choices, if the column ends with one of several answers. */
  choices: readonly TreeMessage[];
}

type PickedChoices = ComparisonNotes['choices'];

/** Returns each column's branch up to its newest answer, so that a retry hides later turns. */
export function getColumnBranches(
  cells: readonly Cell[],
  messages: readonly TreeMessage[],
  picked: PickedChoices,
): ReadonlyMap<string, ColumnBranch> {
  const children = Map.groupBy(messages, ({ parentId }) => parentId);
  const branches = new Map<string, ColumnBranch>();
  for (const [variantId, own] of Map.groupBy(cells, (cell) => cell.variantId)) {
    const cell = getNewestCell(own);
    if (cell === undefined) continue;
    const isOfOthers = createOthersCheck(cells, variantId);
    const answer = getAnswer(cell, messages, picked);
    let end = answer?.id ?? cell.messageId;
    // Messages sent while the columns were hidden belong to the column too.
    for (let at = answer; at !== undefined; ) {
      end = at.id;
      at = children.get(at.id)?.findLast((message) => !isOfOthers(message));
    }
    const choices = end === answer?.id ? getChoices(messages, answer) : [];
    branches.set(variantId, { path: getPath(messages, end), cell, choices });
  }
  return branches;
}

export function countSharedMessages(
  paths: readonly (readonly TreeMessage[])[],
  firstMessageId: string | null,
): number {
  const [first = []] = paths;
  const end = first.findIndex(
    ({ id }, at) => id === firstMessageId || paths.some((path) => path[at]?.id !== id),
  );
  return end === -1 ? 0 : end;
}

function getNewestCell(own: readonly Cell[]): Cell | undefined {
  const last = own.at(-1);
  if (last === undefined || last.run === null) return last;
  return own.reduce((newest, cell) => (getCreatedAt(cell) >= getCreatedAt(newest) ? cell : newest));
}

function getCreatedAt({ run }: Cell): number {
  return run?.createdAt ?? Number.NEGATIVE_INFINITY;
}

/** Returns the picked choice, else the first choice, or undefined if there are no answers. */
export function getAnswer(
  { place, run }: Cell,
  messages: readonly TreeMessage[],
  picked: PickedChoices,
): TreeMessage | undefined {
  if (run === null) return undefined;
  const answers = messages.filter((message) => message.run?.id === run.id);
  return (
    answers.find(({ id }) => id === picked[place]) ??
    answers.find(({ choiceIndex }) => (choiceIndex ?? 0) === 0)
  );
}

/** Returns a check that is true for messages that belong only to other columns. */
function createOthersCheck(
  cells: readonly Cell[],
  variantId: string,
): (message: TreeMessage) => boolean {
  const [own, others] = [new Set<string | null>(), new Set<string | null>()];
  const ofCell = new Map(cells.map((cell) => [cell.place, cell.variantId]));
  for (const cell of cells) (cell.variantId === variantId ? own : others).add(cell.messageId);
  const comparisonIds = new Set(cells.flatMap(({ run }) => run?.comparisonId ?? []));
  return ({ id, run }) => {
    const isAnswer = run !== null && comparisonIds.has(run.comparisonId ?? '');
    if (isAnswer && run.cell !== null) return ofCell.get(run.cell) !== variantId;
    return others.has(id) && !own.has(id);
  };
}

/**
 * Maps message IDs to notes such as `demo-chat · temperature 0.2` for answers whose settings
 * differ.
 */
export function getColumnNotes(
  comparison: Comparison,
  { variant, isHidden }: CompareColumn,
  cells: readonly Cell[],
  path: readonly TreeMessage[],
): ReadonlyMap<string, string> {
  const notes = new Map<string, string>();
  if (isHidden) return notes;
  const byPlace = new Map(cells.map((cell) => [cell.place, cell]));
  for (const { id, run } of path) {
    if (run === null || run.cell === null || run.comparisonId !== comparison.id) continue;
    const cell = byPlace.get(run.cell);
    const sent = cell === undefined ? undefined : getCellVariant(comparison, cell);
    if (sent === undefined || isSameRequest(sent, variant)) continue;
    const differences = listPreviousSettings(sent, variant, run.connectionName);
    notes.set(id, [run.model, ...differences].join(' · '));
  }
  return notes;
}
