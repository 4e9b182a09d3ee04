/** Content parts that wait in the chat composer, per conversation, across reloads. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ContentPart } from '../../shared/operations/message.ts';

type ComposerParts = {
  /** By conversation id; `new` for the one that begins with the next message. */
  parts: Record<string, ContentPart[]>;
  /** From other panels: taken by the composer that is shown next. */
  incoming: ContentPart[];
};

export const useComposerParts = create<ComposerParts>()(
  persist((): ComposerParts => ({ parts: {}, incoming: [] }), { name: 'gatehouse:chat-parts' }),
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

/** For panels beside chat: the part stands in the composer when chat is opened. */
export function offerToChat(part: ContentPart): void {
  useComposerParts.setState(({ incoming }) => ({ incoming: [...incoming, part] }));
}

export function takeIncoming(conversationId: string | null): void {
  const { incoming } = useComposerParts.getState();
  if (incoming.length === 0) return;
  useComposerParts.setState({ incoming: [] });
  setParts(conversationId, (parts) => [...parts, ...incoming]);
}

function keyOf(conversationId: string | null): string {
  return conversationId ?? 'new';
}
