import { useEffect, useMemo } from 'react';
import type { ConversationOptions, TreeMessage } from '../../../../shared/conversation.ts';
import type { ChatInput } from '../../../../shared/operations/chat/request.ts';
import { useLayout } from '../../../lib/layout.ts';
import { getConversationForm } from '../../../run/form/panel-forms.ts';
import type { ReadyRun } from '../../../run/form/resolve-form.ts';
import { useForm } from '../../../run/form/use-form.ts';
import { type NextRequest, useOnScreen, useShowsNextRequest } from '../../../run/live/on-screen.ts';
import { toMessage } from '../conversation/composer-form.ts';
import { useChatState } from '../session/chat-session.ts';
import { findOpenToolCallId, getOpenToolCalls, splitResults } from '../session/open-tool-calls.ts';

/** Lets the inspector show the request that Send would make. */
export function NextRequestOffer() {
  const isShown = useShowsNextRequest();
  const isOpen = useLayout((layout) => layout.inspectorOpen);
  useEffect(() => {
    useOnScreen.setState({ offersNext: true });
    return () => useOnScreen.setState({ offersNext: false, next: null });
  }, []);
  // Don't follow the draft while hidden, because it changes on every keystroke.
  return isShown && isOpen ? <NextRequestDraft /> : null;
}

function NextRequestDraft() {
  const next = useNextRequest();
  useEffect(() => useOnScreen.setState({ next }), [next]);
  return null;
}

/** Returns a new request on every keystroke. */
export function useNextRequest(): NextRequest {
  const form = useChatState((chat) => chat.form);
  const conversation = useChatState((chat) => chat.conversation);
  const path = useChatState((chat) => chat.path);
  const ready = useChatState((chat) => chat.ready);
  const { providerFields } = useChatState((chat) => chat.options);
  const reason = useChatState(({ run }) => run.blocked?.reason ?? null);
  const connection = useChatState(({ run }) => run.connection);
  const draft = useForm(form, ({ input }) => input);
  const results = useForm(form, (values) => values.results);
  const newSystemMessage = useForm(getConversationForm(null), ({ input }) => input.systemMessage);
  const systemMessage = conversation?.systemMessage ?? newSystemMessage;
  const revision = conversation?.revision ?? null;
  return useMemo(
    () =>
      buildNextRequest({
        ready,
        reason,
        path,
        draft,
        results,
        systemMessage,
        providerFields,
        basis: [revision, connection],
      }),
    [ready, reason, path, draft, results, systemMessage, providerFields, revision, connection],
  );
}

interface NextRequestParts {
  ready: ReadyRun | null;
  /** Why nothing can be sent; null if it can. */
  reason: string | null;
  path: readonly TreeMessage[];
  draft: ChatInput;
  results: Readonly<Record<string, string>>;
  systemMessage: string;
  providerFields: ConversationOptions['providerFields'];
  basis: readonly unknown[];
}

/** Returns the input of the request that Send would make, or why there is none. */
export function buildNextRequest(parts: NextRequestParts): NextRequest {
  const { ready, reason, path, draft, results, systemMessage, providerFields, basis } = parts;
  if (ready === null) return { blocked: reason ?? 'Gatehouse is still loading.' };
  const last = path.at(-1);
  const message = toMessage(draft, findOpenToolCallId(path));
  const calls = splitResults(getOpenToolCalls(path) ?? [], results);
  const written = message === null ? calls.results : [...calls.results, message];
  if (written.length === 0 && last === undefined) return { blocked: 'Enter a message first.' };
  const { connectionId, request, extraBody, wireNames } = ready;
  return {
    input: {
      connectionId,
      request,
      extraBody,
      wireNames,
      systemMessage,
      providerFields,
      parentId: last?.id ?? null,
      message: written.at(-1) ?? null,
      earlier: written.slice(0, -1),
    },
    basis,
    note:
      written.length === 0 && last?.role === 'assistant'
        ? 'Your next message will be added at the end.'
        : null,
  };
}
