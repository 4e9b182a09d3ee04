import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import { isFinished } from '../../../../shared/run.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { navigate, useRoute } from '../../../lib/route.ts';
import { useRunPart } from '../../../run/live/live-runs.ts';
import { selectConversation, useChat } from '../chat-store.ts';
import { getChoices, shownPath, siblingsById } from '../messages/branch.ts';
import { modelNotes } from '../messages/model-notes.ts';
import { conversationQuery } from './conversation-query.ts';

/** The selected conversation with the branch that is shown. */
export function useConversation(id: string | null) {
  const query = useQuery(conversationQuery(id));
  const error = query.error === null ? null : toAppError(query.error);
  // An earlier answer may be about to be corrected: Undo in another window brings a conversation back.
  const isGone = error?.kind === 'not-found' && !query.isFetching;
  // The choice outlives what it points at: the conversation may have been deleted elsewhere.
  useEffect(() => {
    if (isGone) selectConversation(null);
  }, [isGone]);
  const conversation = id === null ? null : (query.data ?? null);
  const messages = conversation?.messages ?? none;
  const leafId = conversation?.activeLeafId ?? null;
  const path = useMemo(() => shownPath(messages, leafId), [messages, leafId]);
  const siblings = useMemo(() => siblingsById(messages), [messages]);
  const choices = useMemo(() => getChoices(messages, path.at(-1)), [messages, path]);
  const place = id === null ? undefined : useChat.getState().places[id];
  const isPlaceHere = place === undefined || path.some((message) => message.id === place.messageId);
  const notes = useMemo(() => modelNotes(messages, path), [messages, path]);
  return {
    conversation,
    path,
    notes,
    siblings,
    choices,
    error: error?.kind === 'not-found' ? null : error,
    /** Earlier messages are still on their way. */
    isPartial: conversation?.complete === false,
    // The reader left it further up than what comes first.
    isLoading:
      id !== null && (query.isPending || (conversation?.complete === false && !isPlaceHere)),
  };
}

const none: readonly TreeMessage[] = [];

/** The run in progress of the shown branch, if any. */
export function useActiveRunId(path: readonly TreeMessage[]): string | null {
  const runId = path.findLast(({ run }) => run !== null && !isFinished(run.status))?.run?.id;
  const status = useRunPart(runId ?? null, (view) => view.status);
  return runId === undefined || (status !== undefined && isFinished(status)) ? null : runId;
}

/** The newest tool call of the branch that has no result yet. */
export function openToolCallId(path: readonly TreeMessage[]): string | null {
  const calls = path.flatMap(({ toolCalls }) => toolCalls.map((call) => call.id));
  const answered = new Set(path.map(({ toolCallId }) => toolCallId));
  return calls.find((callId) => !answered.has(callId)) ?? null;
}

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
