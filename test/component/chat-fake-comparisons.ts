/** Fakes the comparisons of Chat, whose cells are all sent at once. */
import { replaceVariants } from '../../electron/comparisons/replace-variants.ts';
import { comparedVariantSchema } from '../../shared/comparison.ts';
import { applyNote, type NoteChange, noNotes } from '../../shared/comparison-notes.ts';
import type { ComparisonUpdate } from '../../shared/contract/comparisons.ts';
import type { TreeMessage } from '../../shared/conversation.ts';
import {
  comparisons,
  countUp,
  type FakeComparison,
  insertMessages,
  makeMessage,
  makeRun,
  nextId,
  runs,
  toRunView,
  toTreeMessage,
} from './chat-fake-state.ts';
import type { StandIn } from './stand-in.ts';

export type CompareInput = Parameters<
  NonNullable<NonNullable<StandIn['conversations']>['compare']>
>[0];

export const retried: number[] = [];

/** Adds a turn whose cells are all sent at once. */
export function addTurn(input: CompareInput) {
  const { comparisonId, conversationId, parents, message, earlier = [] } = input;
  const variants = input.variants.map((variant) => comparedVariantSchema.parse(variant));
  const id = comparisonId ?? nextId('comparison');
  const rowId = nextId('row');
  const known = comparisons.get(id);
  const before = known?.comparison ?? { rows: [], variants: [] };
  const replaced = replaceVariants(before, variants, known?.cells ?? []);
  const row = { id: rowId, label: '', request: {}, sourceRunId: null, variants: [] };
  const all: FakeComparison = {
    comparison: {
      id,
      operation: 'chat',
      title: 'Compared',
      repeats: 1,
      createdAt: 0,
      conversationId,
      ...replaced,
      rows: [...replaced.rows, row],
      sourceComparisonId: null,
    },
    cells: known?.cells ?? [],
    notes: known?.notes ?? noNotes,
    wake: known?.wake ?? [],
  };
  comparisons.set(id, all);
  const messages: TreeMessage[] = [];
  const messageIds: Record<string, string> = {};
  const ends = new Map<string | null, string | null>();
  for (const variant of variants) {
    const parentId = parents[variant.id] ?? null;
    let end = ends.get(parentId);
    if (end === undefined) {
      end = parentId;
      for (const written of message === null ? earlier : [...earlier, message]) {
        messages.push(toTreeMessage(end, written));
        end = messages.at(-1)?.id ?? null;
      }
      ends.set(parentId, end);
    }
    const place = all.cells.length;
    const model = String(variant.request.model);
    const run = makeRun({
      status: 'running',
      comparisonId: id,
      cell: place,
      model,
      createdAt: countUp(),
    });
    runs.set(run.id, { view: toRunView(run), wake: [] });
    const choices = typeof variant.request.n === 'number' ? variant.request.n : 1;
    for (let choiceIndex = 0; choiceIndex < choices; choiceIndex += 1) {
      messages.push(makeMessage({ parentId: end, role: 'assistant', run, choiceIndex }));
    }
    messageIds[variant.id] = end ?? '';
    all.cells.push({
      place,
      rowId,
      variantId: variant.id,
      repeat: 0,
      messageId: end,
      state: 'sent',
      run,
      attempts: 1,
      problem: null,
    });
  }
  for (const wake of all.wake.splice(0)) wake();
  const added = insertMessages(conversationId, messages, messages.at(-1)?.id);
  return { ...added, comparisonId: id, rowId, messageIds };
}

async function* comparisonUpdates(
  id: string,
  signal?: AbortSignal,
): AsyncGenerator<ComparisonUpdate> {
  while (signal?.aborted !== true) {
    const found = comparisons.get(id);
    if (found === undefined) throw new Error(`No comparison ${id}`);
    const cells = found.cells.map((cell) => ({ ...cell }));
    const { comparison, notes } = found;
    yield { comparison, notes, cells, more: false, heldBy: null, sending: [] };
    await new Promise<void>((resolve) => found.wake.push(resolve));
  }
}

export const comparisonProcedures = {
  blind: async () => [],
  watch: async ({ id }: { id: string }, { signal }: { signal?: AbortSignal | undefined } = {}) =>
    comparisonUpdates(id, signal),
  retry: async ({ places }: { places: number[] | null }) => void retried.push(...(places ?? [])),
  note: async ({ id, change }: { id: string; change: NoteChange }) => {
    const found = comparisons.get(id);
    if (found === undefined) return;
    found.notes = applyNote(found.notes, change);
    for (const wake of found.wake.splice(0)) wake();
  },
} satisfies StandIn['comparisons'];
