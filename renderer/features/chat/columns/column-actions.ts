import type { ComparedVariant } from '../../../../shared/comparison.ts';
import type { ConversationOptions, WrittenMessage } from '../../../../shared/conversation.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { api } from '../../../lib/api.ts';
import { useLiveComparisons } from '../../../run/compare/live-comparisons.ts';
import { hideNames, planComparison } from '../../../run/compare/send-comparison.ts';
import { applyVariantToForm, getVariants } from '../../../run/compare/variants.ts';
import { changeWithUndo } from '../../../run/form/change-with-undo.ts';
import { getConversationForm } from '../../../run/form/panel-forms.ts';
import { runInConversation, showBranch } from '../conversation/chat-actions.ts';
import { useChat } from '../conversation/chat-store.ts';
import type { ComposerForm } from '../conversation/composer-form.ts';
import {
  getCachedConversation,
  loadWholeConversation,
} from '../conversation/conversation-query.ts';
import type { Target } from '../conversation/conversation-settings.ts';
import { runExclusive } from '../conversation/run-exclusive.ts';
import { comparedChat } from '../session/compared-chat.ts';
import { getOpenToolCalls } from '../session/open-tool-calls.ts';
import { getRequestOptions, type KnownTools } from '../session/request-options.ts';
import { type ColumnBranch, getColumnBranches } from './column-branches.ts';

export interface ColumnsTurn {
  form: ComposerForm;
  /** Null starts a new comparison. */
  comparisonId: string | null;
  options: ConversationOptions;
  /** True if these options replace the conversation's options. */
  ownsOptions: boolean;
  tools: KnownTools;
  /** Used for variants that inherit the form's connection and model. */
  target: Target | null;
  /** The ID of the message that the comparison starts after. */
  lastId: string | null;
  /** Null requests an answer to the last message. */
  message: WrittenMessage | null;
  /** The run whose result begins the message. */
  sourceRunId: string | null;
}

/** Sends the message to every included variant. Resolves to true once the runs are recorded. */
export async function sendToColumns(turn: ColumnsTurn): Promise<boolean> {
  const { form, comparisonId, options, target, lastId, message, sourceRunId } = turn;
  const planned = await planComparison(form, {}, comparedChat);
  if (!planned.ok) return refuse(planned.problem);
  const variants = planned.plan.variants.map((variant) => ({
    ...variant,
    request: {
      ...variant.request,
      ...getRequestOptions(options, turn.tools, variant.request.format),
    },
  }));
  const branches = await loadBranches(comparisonId);
  const parents = getParents(variants, getOrder(form), branches, lastId);
  const waiting = variants.find(
    ({ id }) => getOpenToolCalls(branches.get(id)?.path ?? []) !== null,
  );
  if (waiting !== undefined) {
    const name = waiting.name === '' ? String(waiting.request.model) : waiting.name;
    return refuse({
      kind: 'invalid-request',
      gateway: null,
      detail: null,
      fields: [],
      message: `Nothing was sent. ${name} is waiting for tool results.`,
      nextStep: 'Enter the tool results and send them first.',
    });
  }
  const [first] = variants;
  const kept = target ?? (first === undefined ? null : { ...first, request: {} });
  async function compare(conversationId: string, overCap: boolean) {
    const added = await api.conversations.compare({
      conversationId,
      comparisonId,
      variants,
      parents,
      message,
      sourceRunId,
      overCap,
    });
    if (comparisonId === null) await hideNames(form, added.comparisonId, variants);
    getConversationForm(conversationId).change({ comparisonId: added.comparisonId });
    return added;
  }
  return runInConversation(compare, kept, turn.ownsOptions ? options : null);
}

/** Sends tool results to one column, using the settings of its previous request. */
export function sendToColumn(
  comparisonId: string,
  variant: ComparedVariant,
  parentId: string | null,
  written: readonly WrittenMessage[],
): Promise<boolean> {
  const parents = { [variant.id]: parentId };
  const [message = null, earlier] = [written.at(-1), written.slice(0, -1)];
  return runInConversation((conversationId, overCap) =>
    api.conversations.compare({
      conversationId,
      comparisonId,
      variants: [variant],
      asBefore: true,
      parents,
      message,
      earlier,
      overCap,
    }),
  );
}

export function retryCell(id: string, place: number): Promise<boolean> {
  return runExclusive((overCap) => api.comparisons.retry({ id, places: [place], overCap }));
}

export function pickChoice(id: string, place: number, messageId: string): Promise<boolean> {
  const change = { kind: 'choice' as const, place: String(place), messageId };
  return runExclusive(() => api.comparisons.note({ id, change }));
}

/** Continues the conversation with the column's branch, connection, model and parameters. */
export async function continueWith(
  form: ComposerForm,
  conversationId: string,
  variant: ComparedVariant,
  leafId: string,
): Promise<void> {
  if (!(await showBranch(conversationId, leafId))) return;
  const apply = () => {
    applyVariantToForm(form, variant);
    form.change({ comparing: false, comparisonId: null });
  };
  const name = variant.name === '' ? String(variant.request.model) : variant.name;
  changeWithUndo(form, apply, `Continuing with ${name}`, { after: 'any change' });
}

async function loadBranches(
  comparisonId: string | null,
): Promise<ReadonlyMap<string, ColumnBranch>> {
  const { selectedId } = useChat.getState();
  const known = selectedId === null ? undefined : getCachedConversation(selectedId);
  if (comparisonId === null || known === undefined) return new Map();
  const { messages } = await loadWholeConversation(known);
  const live = useLiveComparisons.getState().views[comparisonId];
  return getColumnBranches(live?.cells ?? [], messages, live?.notes.choices ?? {});
}

/** Returns the IDs of all variants in the form, including excluded ones. */
function getOrder(form: ComposerForm): string[] {
  return getVariants(form.state.getState().values.variants).map(({ id }) => id);
}

/** Maps each variant to its column's end, or else to the previous variant's or the first one. */
function getParents(
  variants: readonly ComparedVariant[],
  order: readonly string[],
  branches: ReadonlyMap<string, ColumnBranch>,
  lastId: string | null,
): Record<string, string | null> {
  const getEnd = (id: string) => branches.get(id)?.path.at(-1)?.id;
  const first = order.map(getEnd).find((end) => end !== undefined) ?? lastId;
  return Object.fromEntries(
    variants.map(({ id }) => {
      const before = order.slice(0, order.indexOf(id) + 1).map(getEnd);
      return [id, before.findLast((end) => end !== undefined) ?? first];
    }),
  );
}

function refuse(problem: AppError): false {
  useChat.setState({ problem, runAnyway: null });
  return false;
}
