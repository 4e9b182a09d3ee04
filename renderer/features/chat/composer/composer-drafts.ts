/** What stands in the composer, per conversation, across reloads. Never throws: storage may be full. */
import type { Role } from '../../../../shared/operations/chat/message.ts';

export type ComposerDraft = { text: string; role: Role; name: string; toolCallId: string };

export const emptyComposerDraft: ComposerDraft = {
  text: '',
  role: 'user',
  name: '',
  toolCallId: '',
};

const PREFIX = 'gatehouse:chat-draft:';
const ROLES: readonly string[] = ['system', 'user', 'assistant', 'tool', 'developer'];

export function loadComposerDraft(conversationId: string | null): ComposerDraft {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(conversationId)) ?? 'null');
    return isComposerDraft(stored) ? stored : emptyComposerDraft;
  } catch {
    return emptyComposerDraft;
  }
}

export function saveComposerDraft(conversationId: string | null, draft: ComposerDraft): void {
  try {
    if (draft.text === '' && draft.role === 'user') {
      localStorage.removeItem(keyOf(conversationId));
    } else {
      localStorage.setItem(keyOf(conversationId), JSON.stringify(draft));
    }
  } catch {
    // A draft larger than the browser's storage lives as long as the page.
  }
}

function keyOf(conversationId: string | null): string {
  return `${PREFIX}${conversationId ?? 'new'}`;
}

function isComposerDraft(value: unknown): value is ComposerDraft {
  if (typeof value !== 'object' || value === null) return false;
  const { text, role, name, toolCallId } = value as Record<string, unknown>;
  return (
    typeof text === 'string' &&
    typeof role === 'string' &&
    ROLES.includes(role) &&
    typeof name === 'string' &&
    typeof toolCallId === 'string'
  );
}
