import type { AddedMessages } from '../../../../shared/contract/conversations.ts';
import type { Conversation, TreeMessage } from '../../../../shared/conversation.ts';

type Node = Pick<TreeMessage, 'id' | 'parentId'>;

/** Returns the messages from the root to `leafId`, or an empty list if the leaf is unknown. */
export function getPath<Message extends Node>(
  messages: readonly Message[],
  leafId: string | null,
): Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const path: Message[] = [];
  let at = leafId === null ? undefined : byId.get(leafId);
  // Removing visited messages prevents an infinite loop if parents form a cycle.
  while (at !== undefined && byId.delete(at.id)) {
    path.push(at);
    at = at.parentId === null ? undefined : byId.get(at.parentId);
  }
  return path.reverse();
}

export type Siblings = { ids: readonly string[]; position: number };

/** Returns each message's siblings, including itself, oldest first. */
export function getSiblings(messages: readonly Node[]): Map<string, Siblings> {
  const children = groupByParent(messages);
  const result = new Map<string, Siblings>();
  for (const ids of children.values()) {
    for (const [position, id] of ids.entries()) result.set(id, { ids, position });
  }
  return result;
}

/** Returns an answer and, if it calls tools, the messages that its newest branch continues with. */
export function getTurn(
  children: ReadonlyMap<string | null, readonly TreeMessage[]>,
  answer: TreeMessage,
): TreeMessage[] {
  const turn = [answer];
  for (const { id, role, toolCalls } of turn) {
    if (role !== 'tool' && toolCalls.length === 0) break;
    const next = children.get(id)?.findLast((message) => message.role !== 'user');
    if (next !== undefined) turn.push(next);
  }
  return turn;
}

/** Returns the run's answers sorted by choice, or an empty list if there is only one. */
export function getChoices(
  messages: readonly TreeMessage[],
  answer: TreeMessage | undefined,
): readonly TreeMessage[] {
  const runId = answer?.run?.id;
  if (runId === undefined) return [];
  const choices = messages.filter(({ run }) => run?.id === runId);
  if (choices.length < 2) return [];
  return choices.sort((one, other) => (one.choiceIndex ?? 0) - (other.choiceIndex ?? 0));
}

/** Maps each tool message without a name to the tool whose result it contains. */
export function getCalledTools(path: readonly TreeMessage[]): ReadonlyMap<string, string> {
  const names = new Map<string | null, string>();
  const tools = new Map<string, string>();
  for (const { id, name, toolCalls, toolCallId } of path) {
    for (const call of toolCalls) names.set(call.id, call.function.name);
    const called = names.get(toolCallId);
    if (called !== undefined && name === null) tools.set(id, called);
  }
  return tools;
}

/** Returns the end of the newest branch that starts at `id`. */
export function getNewestLeaf(messages: readonly Node[], id: string): string {
  const children = groupByParent(messages);
  let leaf = id;
  for (
    let next = children.get(leaf)?.at(-1);
    next !== undefined;
    next = children.get(leaf)?.at(-1)
  ) {
    children.delete(leaf);
    leaf = next;
  }
  return leaf;
}

export function getSubtree<Message extends Node>(
  messages: readonly Message[],
  id: string,
): Message[] {
  const children = groupByParent(messages);
  const ids = new Set([id]);
  // Iterating over a Set also visits items that the loop adds.
  for (const at of ids) for (const child of children.get(at) ?? []) ids.add(child);
  return messages.filter((message) => ids.has(message.id));
}

/** Skips messages already added by a refetch. */
export function addMessages(conversation: Conversation, added: AddedMessages): Conversation {
  const known = new Set(conversation.messages.map(({ id }) => id));
  const missing = added.messages.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return conversation;
  const { activeLeafId } = added;
  const messages = [...conversation.messages, ...missing];
  return { ...conversation, ...added.conversation, activeLeafId, messages };
}

/** Returns each message's child IDs, oldest first. */
function groupByParent(messages: readonly Node[]): Map<string | null, string[]> {
  const groups = Map.groupBy(messages, ({ parentId }) => parentId);
  return new Map([...groups].map(([parentId, group]) => [parentId, group.map(({ id }) => id)]));
}
