/** The tree of a conversation as the page walks it: pure, over the flat list of its messages. */
import type { AddedMessages } from '../../../../shared/contract/conversations.ts';
import type { Conversation, TreeMessage } from '../../../../shared/conversation.ts';

type Node = Pick<TreeMessage, 'id' | 'parentId'>;

/** From the root to `leafId`; empty if that is null or unknown. */
export function shownPath<Message extends Node>(
  messages: readonly Message[],
  leafId: string | null,
): Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const path: Message[] = [];
  let at = leafId === null ? undefined : byId.get(leafId);
  // A parent that leads back into the path would never end: each message is taken once.
  while (at !== undefined && byId.delete(at.id)) {
    path.push(at);
    at = at.parentId === null ? undefined : byId.get(at.parentId);
  }
  return path.reverse();
}

export type Siblings = { ids: readonly string[]; position: number };

/** For each message of the list its siblings, oldest first, itself included. */
export function siblingsById(messages: readonly Node[]): Map<string, Siblings> {
  const children = childrenByParent(messages);
  const result = new Map<string, Siblings>();
  for (const ids of children.values()) {
    for (const [position, id] of ids.entries()) result.set(id, { ids, position });
  }
  return result;
}

/** The answers of the same run, by choice; empty if it gave only one. */
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

/** The end of the newest branch that begins at `id`. */
export function newestLeaf(messages: readonly Node[], id: string): string {
  const children = childrenByParent(messages);
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

/** The message and all that follows it, on every branch. */
export function getSubtree<Message extends Node>(
  messages: readonly Message[],
  id: string,
): Message[] {
  const children = childrenByParent(messages);
  const ids = new Set([id]);
  // A set also visits what is added to it meanwhile.
  for (const at of ids) for (const child of children.get(at) ?? []) ids.add(child);
  return messages.filter((message) => ids.has(message.id));
}

/** The conversation with what was added; unchanged if it has been refetched since and has it. */
export function withAdded(conversation: Conversation, added: AddedMessages): Conversation {
  const known = new Set(conversation.messages.map(({ id }) => id));
  const missing = added.messages.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return conversation;
  const { activeLeafId } = added;
  const messages = [...conversation.messages, ...missing];
  return { ...conversation, ...added.conversation, activeLeafId, messages };
}

function childrenByParent(messages: readonly Node[]): Map<string | null, string[]> {
  const children = new Map<string | null, string[]>();
  for (const { id, parentId } of messages) {
    const siblings = children.get(parentId);
    if (siblings === undefined) children.set(parentId, [id]);
    else siblings.push(id);
  }
  return children;
}
