import { useEffect } from 'react';
import { selectInspectedRun, useLayout } from '../../../lib/layout.ts';
import { useChat } from '../conversation/chat-store.ts';
import { getCachedConversation } from '../conversation/conversation-query.ts';

/** Opens the inspector on the answer that the log is scrolled to. */
export function useInspectRunInView(): void {
  const isOpen = useLayout((layout) => layout.inspectorOpen);
  useEffect(() => {
    const { inspectedRunId, inspectsNextRequest } = useLayout.getState();
    if (!isOpen || inspectedRunId !== null || inspectsNextRequest) return;
    const runId = findRunInView();
    if (runId !== null) selectInspectedRun(runId);
  }, [isOpen]);
}

/** Returns null if the log is at its end, where the last answer is in view. */
function findRunInView(): string | null {
  const { selectedId, places } = useChat.getState();
  const topId = selectedId === null ? undefined : places[selectedId]?.messageId;
  if (selectedId === null || topId === undefined) return null;
  const messages = getCachedConversation(selectedId)?.messages ?? [];
  const top = messages.find(({ id }) => id === topId);
  const answer = messages.findLast(({ parentId, run }) => parentId === topId && run !== null);
  return top?.run?.id ?? answer?.run?.id ?? null;
}
