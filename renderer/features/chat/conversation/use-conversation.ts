import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import type { Conversation, LiveTurn, TreeMessage } from '../../../../shared/conversation.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { isFinished } from '../../../../shared/run.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { navigate, useRoute } from '../../../lib/route.ts';
import { useRunPart } from '../../../run/live/live-runs.ts';
import { getChoices, getPath, getSiblings, type Siblings } from './branch.ts';
import { selectConversation, useChat } from './chat-store.ts';
import { getConversationQuery, getEarlierMessagesQuery } from './conversation-query.ts';
import { getModelNotes } from './model-notes.ts';

export interface ConversationView extends EarlierMessages {
  /** Null for a new conversation, and until it has loaded. */
  conversation: Conversation | null;
  /** The shown branch, oldest first. */
  path: readonly TreeMessage[];
  /** Maps message IDs to notes about the answer's model. */
  notes: ReadonlyMap<string, string>;
  siblings: ReadonlyMap<string, Siblings>;
  /** Answers shown side by side at the end of the branch. */
  choices: readonly TreeMessage[];
  isLoading: boolean;
  error: AppError | null;
}

export interface EarlierMessages {
  earlier: 'loaded' | 'loading' | 'failed';
  loadEarlier: () => void;
}

export function useConversation(id: string | null): ConversationView {
  const query = useQuery(getConversationQuery(id));
  const error = query.error === null ? null : toAppError(query.error);
  // The cached error may be stale, because Undo in another window can restore a conversation.
  const isDeleted = error?.kind === 'not-found' && !query.isFetching;
  // Another window may have deleted the selected conversation.
  useEffect(() => {
    if (isDeleted) selectConversation(null);
  }, [isDeleted]);
  const conversation = id === null ? null : (query.data ?? null);
  const messages = conversation?.messages ?? none;
  const leafId = conversation?.activeLeafId ?? null;
  const path = useMemo(() => getPath(messages, leafId), [messages, leafId]);
  const siblings = useMemo(() => getSiblings(messages), [messages]);
  const choices = useMemo(() => getChoices(messages, path.at(-1)), [messages, path]);
  const place = id === null ? undefined : useChat.getState().places[id];
  const isPlaceLoaded =
    place === undefined || path.some((message) => message.id === place.messageId);
  const notes = useMemo(() => getModelNotes(messages, path), [messages, path]);
  const rest = useQuery({ ...getEarlierMessagesQuery(conversation), enabled: false });
  const isPartial = conversation?.complete === false;
  // Every change to the conversation retries, which would hide the error and announce it again.
  const hasFailed = rest.isError || (rest.isPending && rest.errorUpdateCount > 0);
  const earlier = !isPartial ? 'loaded' : hasFailed ? 'failed' : 'loading';
  const { refetch } = rest;
  // Keep the function stable, because a new one would re-render the log.
  const loadEarlier = useCallback(() => {
    // Clear the error so that this retry shows as loading.
    void queryClient.resetQueries(getEarlierMessagesQuery(conversation));
    void refetch();
  }, [conversation, refetch]);
  return {
    conversation,
    path,
    notes,
    siblings,
    choices,
    earlier,
    loadEarlier,
    error: error?.kind === 'not-found' ? null : error,
    // Wait until the message at the saved scroll position has loaded.
    isLoading: id !== null && (query.isPending || (earlier === 'loading' && !isPlaceLoaded)),
  };
}

const none: readonly TreeMessage[] = [];

/** Returns the ID of the branch's unfinished run, or null. */
export function useActiveRunId(path: readonly TreeMessage[]): string | null {
  const runId = path.findLast(({ run }) => run !== null && !isFinished(run.status))?.run?.id;
  const status = useRunPart(runId ?? null, (view) => view.status);
  return runId === undefined || (status !== undefined && isFinished(status)) ? null : runId;
}

/** Returns the turn whose tools answer the calls at the end of the branch, or null. */
export function getTurnAtEnd(
  turns: readonly LiveTurn[],
  path: readonly TreeMessage[],
): LiveTurn | null {
  const answer = path.findLast(({ role }) => role === 'assistant');
  return turns.find(({ answerId, problem }) => problem === null && answerId === answer?.id) ?? null;
}

export function getTurns(conversation: Conversation | null, path: readonly TreeMessage[]) {
  const turns = conversation?.turns ?? [];
  return {
    turn: getTurnAtEnd(turns, path),
    isWorking: turns.some(({ problem }) => problem === null),
    /** Why the last turn ended early. */
    problem: turns.find(({ problem }) => problem !== null)?.problem ?? null,
  };
}

/** Keeps the selected conversation and the `#/chat/<id>` route in sync. */
export function useFollowRoute(selectedId: string | null): void {
  const { panel, detail } = useRoute();
  useEffect(() => {
    if (panel !== 'chat' || detail === null) return;
    if (detail !== useChat.getState().selectedId) selectConversation(detail);
  }, [panel, detail]);
  useEffect(() => {
    // The other effect may already have selected another conversation.
    const shown = useChat.getState().selectedId;
    if (panel !== 'chat' || shown === detail || shown !== selectedId) return;
    navigate('chat', shown, { replace: detail === null });
  }, [panel, detail, selectedId]);
}
