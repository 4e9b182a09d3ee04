/** A conversation in the page: the end of its shown branch at once, the rest right behind, then only what changes. */
import { skipToken } from '@tanstack/react-query';
import type { Conversation, TreeMessage } from '../../../../shared/conversation.ts';
import { api, orpc } from '../../../lib/api.ts';
import { queryClient } from '../../../lib/query-client.ts';

/** The one query of a conversation, for every place that reads it. */
export function conversationQuery(id: string | null) {
  const options = orpc.conversations.get.queryOptions({ input: id === null ? skipToken : { id } });
  return id === null ? options : { ...options, queryFn: () => fetchConversation(id) };
}

export function knownConversation(id: string): Conversation | undefined {
  return queryClient.getQueryData(conversationQuery(id).queryKey);
}

/** With every message: its end is not enough where the tree matters. Rejects where main does not send the rest. */
export async function wholeConversation(conversation: Conversation): Promise<Conversation> {
  const known = knownConversation(conversation.id) ?? conversation;
  await completions.get(getEpoch(known));
  return completed(knownConversation(conversation.id) ?? conversation);
}

/** A page of so many messages takes main about 10 ms. */
const PAGE = 200;

/** Before the rest is fetched again; twice as long after each further failure. */
const RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;

/** The rest of a conversation, while it is on its way; by epoch, which each conversation has its own of. */
const completions = new Map<string, Promise<void>>();
/** Epochs whose rest is fetched again after a pause. */
const retries = new Set<string>();

async function fetchConversation(id: string): Promise<Conversation> {
  const since = knownConversation(id)?.revision ?? null;
  const fetched = await api.conversations.get({ id, since });
  const known = knownConversation(id);
  if (known === undefined) {
    // Forgotten meanwhile, and what changed since says too little.
    if (since !== null && isSameEpoch(fetched, { revision: since })) return fetchConversation(id);
    completeBehind(fetched);
    return fetched;
  }
  // What is shown already must not shrink to its end and grow again.
  if (!isSameEpoch(fetched, known)) return completed(fetched);
  const messages = withNewer(known.messages, fetched.messages);
  const conversation = { ...fetched, messages, complete: known.complete };
  // Another window may have chosen a branch that is not here yet.
  const isHere = messages.some((message) => message.id === fetched.activeLeafId);
  if (!isHere) return completed(conversation);
  completeBehind(conversation);
  return conversation;
}

function completeBehind(conversation: Conversation, retryMs = RETRY_MS): void {
  const epoch = getEpoch(conversation);
  if (conversation.complete || completions.has(epoch)) return;
  const completion = addRest(conversation)
    .catch(() => retryLater(conversation, retryMs))
    .finally(() => completions.delete(epoch));
  completions.set(epoch, completion);
}

/** Nothing else may cause another fetch: main can fail while the link holds. */
function retryLater(conversation: Conversation, retryMs: number): void {
  const epoch = getEpoch(conversation);
  if (retries.has(epoch)) return;
  retries.add(epoch);
  setTimeout(() => {
    retries.delete(epoch);
    const known = knownConversation(conversation.id);
    if (known === undefined || getEpoch(known) !== epoch) return;
    completeBehind(known, Math.min(2 * retryMs, MAX_RETRY_MS));
  }, retryMs);
}

async function addRest(conversation: Conversation): Promise<void> {
  // The rest is added to the end, which the query has only when its fetch has returned.
  await new Promise((resolve) => setTimeout(resolve));
  const rest = await fetchMessages(conversation);
  const { queryKey } = conversationQuery(conversation.id);
  if (rest === null) {
    // It begins again.
    void queryClient.invalidateQueries({ queryKey });
    return;
  }
  queryClient.setQueryData<Conversation>(queryKey, (known) =>
    known === undefined || !isSameEpoch(known, conversation)
      ? known
      : { ...known, messages: withNewer(rest, known.messages), complete: true },
  );
}

async function completed(conversation: Conversation): Promise<Conversation> {
  if (conversation.complete) return conversation;
  const all = await fetchMessages(conversation);
  // So much has changed meanwhile that the page must begin again.
  if (all === null) return completed(await api.conversations.get({ id: conversation.id }));
  return { ...conversation, messages: withNewer(all, conversation.messages), complete: true };
}

/** All of them, oldest first; null if what came before no longer holds. */
async function fetchMessages(conversation: Conversation): Promise<TreeMessage[] | null> {
  const { id } = conversation;
  const newestFirst: TreeMessage[] = [];
  for (let before: number | null = null; ; ) {
    const page = await api.conversations.messages({ id, before, limit: PAGE });
    if (!isSameEpoch(page, conversation)) return null;
    newestFirst.push(...page.messages);
    if (page.next === null) return newestFirst.reverse();
    before = page.next;
  }
}

type Revised = Pick<Conversation, 'revision'>;

/** Between two revisions of one epoch main knows what changed. */
function isSameEpoch(one: Revised, other: Revised): boolean {
  return getEpoch(one) === getEpoch(other);
}

function getEpoch({ revision }: Revised): string {
  return revision.split(':')[0] ?? revision;
}

/** In the order of `known`, behind them those that are new; `newer` has the last word on each. */
function withNewer(known: readonly TreeMessage[], newer: readonly TreeMessage[]): TreeMessage[] {
  const byId = new Map(known.map((message) => [message.id, message]));
  for (const message of newer) byId.set(message.id, message);
  return [...byId.values()];
}
