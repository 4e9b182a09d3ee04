import { useEffect } from 'react';
import { navigate, useRoute } from '../../../lib/route.ts';
import { selectConversation, useChat } from '../chat-store.ts';

/** `#/chat/<id>` shows that conversation, and the address says which one is shown. */
export function useFollowRoute(selectedId: string | null): void {
  const { panel, detail } = useRoute();
  useEffect(() => {
    if (panel !== 'chat' || detail === null) return;
    if (detail !== useChat.getState().selectedId) selectConversation(detail);
  }, [panel, detail]);
  useEffect(() => {
    // Not what was rendered: the address may just have chosen another.
    const shown = useChat.getState().selectedId;
    if (panel !== 'chat' || shown === detail || shown !== selectedId) return;
    navigate('chat', shown, { replace: detail === null });
  }, [panel, detail, selectedId]);
}
