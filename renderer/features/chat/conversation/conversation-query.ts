import { queryOptions, skipToken } from '@tanstack/react-query';
import type { Conversation, TreeMessage } from '../../../../shared/conversation.ts';
import { api, orpc } from '../../../lib/api.ts';
import { queryClient } from '../../../lib/query-client.ts';

/** Loads the end of the shown branch first, then the rest. After that, loads only changes. */
export function getConversationQuery(id: string | null) {
  const options = orpc.conversations.get.queryOptions({ input: id === null ? skipToken : { id } });
  return id === null ? options : { ...options, queryFn: () => fetchConversation(id) };
}

export function getCachedConversation(id: string): Conversation | undefined {
  return queryClient.getQueryData(getConversationQuery(id).queryKey);
}

/** Loads all messages of the conversation; rejects if a request fails. */
export async function loadWholeConversation(conversation: Conversation): Promise<Conversation> {
  const known = getCachedConversation(conversation.id) ?? conversation;
  if (!known.complete) await queryClient.fetchQuery(getEarlierMessagesQuery(known));
  return complete(getCachedConversation(conversation.id) ?? conversation);
}

/**
 * Merges earlier messages into the cached conversation; observers of this query only use its
 * status.
 */
export function getEarlierMessagesQuery(conversation: Conversation | null) {
  return queryOptions({
    queryKey: ['earlier messages', conversation?.id, conversation && getEpoch(conversation)],
    queryFn: conversation === null ? skipToken : () => addRest(conversation),
    staleTime: 0,
  });
}

/** The main process reads a page of this size in about 10 ms. */
const PAGE = 200;

async function fetchConversation(id: string): Promise<Conversation> {
  const since = getCachedConversation(id)?.revision ?? null;
  const fetched = await api.conversations.get({ id, since });
  const known = getCachedConversation(id);
  if (known === undefined) {
    // The cache was cleared during the request, so it's not enough to load only the changes.
    if (since !== null && isSameEpoch(fetched, { revision: since })) return fetchConversation(id);
    loadRest(fetched);
    return fetched;
  }
  // Load all messages, so that the visible log doesn't shrink and grow again.
  if (!isSameEpoch(fetched, known)) return complete(fetched);
  const messages = mergeMessages(known.messages, fetched.messages);
  const conversation = { ...fetched, messages, complete: known.complete };
  // Another window may have selected a branch that isn't loaded yet.
  const hasLeaf = messages.some((message) => message.id === fetched.activeLeafId);
  if (!hasLeaf) return complete(conversation);
  loadRest(conversation);
  return conversation;
}

function loadRest(conversation: Conversation): void {
  if (!conversation.complete) void queryClient.prefetchQuery(getEarlierMessagesQuery(conversation));
}

/** Resolves to null, because query data can't be undefined. */
async function addRest(conversation: Conversation): Promise<null> {
  // Wait until the query has cached the end, because the rest is merged into it.
  await new Promise((resolve) => setTimeout(resolve));
  const rest = await fetchMessages(conversation);
  const { queryKey } = getConversationQuery(conversation.id);
  if (rest === null) {
    void queryClient.invalidateQueries({ queryKey });
    return null;
  }
  queryClient.setQueryData<Conversation>(queryKey, (known) =>
    known === undefined || !isSameEpoch(known, conversation)
      ? known
      : { ...known, messages: mergeMessages(rest, known.messages), complete: true },
  );
  return null;
}

async function complete(conversation: Conversation): Promise<Conversation> {
  if (conversation.complete) return conversation;
  const all = await fetchMessages(conversation);
  // The epoch changed during the request, so start over.
  if (all === null) return complete(await api.conversations.get({ id: conversation.id }));
  return { ...conversation, messages: mergeMessages(all, conversation.messages), complete: true };
}

/** Returns all messages, oldest first, or null if the epoch changed during a request. */
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

/** The main process can list changes only between revisions of the same epoch. */
function isSameEpoch(one: Revised, other: Revised): boolean {
  return getEpoch(one) === getEpoch(other);
}

function getEpoch({ revision }: Revised): string {
  return revision.split(':')[0] ?? revision;
}

/**
 * Keeps the order of `known`, replaces messages with their `newer` versions and appends new ones.
 */
function mergeMessages(
  known: readonly TreeMessage[],
  newer: readonly TreeMessage[],
): TreeMessage[] {
  const byId = new Map(known.map((message) => [message.id, message]));
  for (const message of newer) byId.set(message.id, message);
  return [...byId.values()];
}
