/** The columns of a chat as branches of its tree: pure, over the cells of their comparison. */
import type { Cell } from '../../../../shared/comparison.ts';
import type { ComparisonNotes } from '../../../../shared/comparison-notes.ts';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import { getChoices, shownPath } from '../messages/branch.ts';

export interface ColumnBranch {
  /** From the root to where the column continues. */
  path: readonly TreeMessage[];
  /** The newest of its requests. */
  cell: Cell;
  /** All answers of that, where the column ends with one of several. */
  choices: readonly TreeMessage[];
}

type PickedChoices = ComparisonNotes['choices'];

/** By variant; `cells` by place. A column ends below its newest answer, as an answer that is retried shows no later turns. */
export function columnBranches(
  cells: readonly Cell[],
  messages: readonly TreeMessage[],
  picked: PickedChoices,
): ReadonlyMap<string, ColumnBranch> {
  const children = Map.groupBy(messages, ({ parentId }) => parentId);
  const branches = new Map<string, ColumnBranch>();
  for (const [variantId, own] of Map.groupBy(cells, (cell) => cell.variantId)) {
    const cell = newestCell(own);
    if (cell === undefined) continue;
    const isOfOthers = messagesOfOthers(cells, variantId);
    const answer = getAnswer(cell, messages, picked);
    let end = answer?.id ?? cell.messageId;
    // What was sent while the columns were not shown belongs to the column, too.
    for (let at = answer; at !== undefined; ) {
      end = at.id;
      at = children.get(at.id)?.findLast((message) => !isOfOthers(message));
    }
    const choices = end === answer?.id ? getChoices(messages, answer) : [];
    branches.set(variantId, { path: shownPath(messages, end), cell, choices });
  }
  return branches;
}

/** How many messages all columns have before the first that was sent to them together. */
export function sharedStart(
  paths: readonly (readonly TreeMessage[])[],
  firstMessageId: string | null,
): number {
  const [first = []] = paths;
  const end = first.findIndex(
    ({ id }, at) => id === firstMessageId || paths.some((path) => path[at]?.id !== id),
  );
  return end === -1 ? 0 : end;
}

function newestCell(own: readonly Cell[]): Cell | undefined {
  const last = own.at(-1);
  if (last === undefined || last.run === null) return last;
  return own.reduce((newest, cell) => (createdAt(cell) >= createdAt(newest) ? cell : newest));
}

function createdAt({ run }: Cell): number {
  return run?.createdAt ?? Number.NEGATIVE_INFINITY;
}

/** Of several choices the picked one, or else the first: a column continues from one. */
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

/** Whether another column sent or received the message, and this one did not. */
function messagesOfOthers(
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
