import { countRounds } from '../../../../shared/operations/chat/open-calls.ts';
import { ToolResultsForm } from '../composer/tool-results-form.tsx';
import { continueTurn } from '../conversation/chat-actions.ts';
import { dismissWarning, useChat } from '../conversation/chat-store.ts';
import { type ChatView, useChatSession, useChatState } from '../session/chat-session.ts';
import { canContinueTurn, type OpenToolCalls } from '../session/open-tool-calls.ts';
import { TurnCalls } from './turn-calls.tsx';
import { getTurnFigures, TurnSummary } from './turn-summary.tsx';

/** Returns true if something follows the last message. */
export function hasLogEnd({ turn, activeRunId, openCalls, path }: ChatView): boolean {
  if (turn !== null || activeRunId !== null) return turn !== null;
  return openCalls !== null || getTurnFigures(path) !== null;
}

/** Shows the tools at work, the calls that wait for results, or the metrics of the last turn. */
export function LogEnd() {
  const conversationId = useChatState((chat) => chat.conversationId);
  const turn = useChatState((chat) => chat.turn);
  const openCalls = useChatState((chat) => chat.openCalls);
  const path = useChatState((chat) => chat.path);
  const isStreaming = useChatState((chat) => chat.activeRunId !== null);
  if (turn !== null && conversationId !== null) {
    return <TurnCalls conversationId={conversationId} turn={turn} hasShortcuts />;
  }
  if (isStreaming) return null;
  return openCalls === null ? <TurnSummary path={path} /> : <OpenCalls calls={openCalls} />;
}

function OpenCalls({ calls }: { calls: OpenToolCalls }) {
  const { send } = useChatSession();
  const form = useChatState((chat) => chat.form);
  const id = useChatState((chat) => chat.conversationId);
  const path = useChatState((chat) => chat.path);
  const options = useChatState((chat) => chat.options);
  const tools = useChatState((chat) => chat.tools);
  const blockedReason = useChatState(({ blocked }) => blocked?.reason ?? null);
  const lastId = path.at(-1)?.id ?? null;
  const warned = useChat((chat) => (chat.warned?.answerId === lastId ? chat.warned : null));
  return (
    <ToolResultsForm
      form={form}
      calls={calls}
      warned={warned}
      blockedReason={blockedReason}
      onRun={(insist) => void send(insist)}
      onContinue={
        id !== null && lastId !== null && canContinueTurn(calls, options, tools)
          ? () => void continueTurn(id, lastId)
          : null
      }
      limit={countRounds(path) >= options.maxRounds ? options.maxRounds : null}
      onTyped={dismissWarning}
    />
  );
}
