/** Content parts that wait in the chat composer, per conversation, across reloads. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ContentPart } from '../../../../shared/operations/chat/message.ts';

type ComposerParts = {
  /** By conversation id; `new` for the one that begins with the next message. */
  parts: Record<string, ContentPart[]>;
};

export const useComposerParts = create<ComposerParts>()(
  persist((): ComposerParts => ({ parts: {} }), { name: 'gatehouse:chat-parts' }),
);

const none: ContentPart[] = [];

export function partsOf({ parts }: ComposerParts, conversationId: string | null): ContentPart[] {
  return parts[keyOf(conversationId)] ?? none;
}

export function setParts(
  conversationId: string | null,
  change: (parts: readonly ContentPart[]) => ContentPart[],
): void {
  useComposerParts.setState((state) => {
    const key = keyOf(conversationId);
    const { [key]: before = none, ...others } = state.parts;
    const after = change(before);
    return { parts: after.length === 0 ? others : { ...others, [key]: after } };
  });
}

function keyOf(conversationId: string | null): string {
  return conversationId ?? 'new';
}
