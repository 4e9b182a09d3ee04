import type { RunButtonProps } from '../../../run/frame/run-button.tsx';
import { useChat } from '../conversation/chat-store.ts';
import { useChatSession, useChatState } from '../session/chat-session.ts';

/** Returns the props of the button that sends the message, or stops the answer. */
export function useRunButton(): RunButtonProps {
  const { send, stop } = useChatSession();
  const running = useChatState((chat) => chat.running);
  const disabledReason = useChatState(({ blocked }) => blocked?.reason ?? null);
  const busy = useChat((chat) => chat.sending);
  return {
    label: 'Send',
    running,
    busy,
    disabledReason,
    onRun: () => void send(false),
    onStop: stop,
  };
}
