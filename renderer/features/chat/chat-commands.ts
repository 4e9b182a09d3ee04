import { useCommands } from '../../lib/commands.ts';
import { openFind, toggleList } from './conversation/chat-store.ts';
import { startConversation } from './conversation/conversation-settings.ts';
import { canFind, retryAnswer, useChatSession, useChatState } from './session/chat-session.ts';

export function useChatCommands(): void {
  const { state, log } = useChatSession();
  const isFindable = useChatState(canFind);
  const canRetry = useChatState(
    ({ path, running, showsColumns }) =>
      path.at(-1)?.role === 'assistant' && !running && !showsColumns,
  );
  useCommands([
    {
      id: 'chat.retry',
      title: 'Retry last answer',
      group: 'Chat',
      keywords: 'again regenerate',
      enabled: canRetry,
      run() {
        const last = state.getState().path.at(-1);
        if (last !== undefined) retryAnswer(state.getState(), last);
      },
    },
    {
      id: 'chat.new',
      title: 'New conversation',
      group: 'Chat',
      shortcut: 'Mod+Shift+O',
      run: startConversation,
    },
    {
      id: 'chat.find',
      title: 'Find in conversation',
      group: 'Chat',
      shortcut: 'Mod+F',
      keywords: 'search',
      enabled: isFindable,
      run: openFind,
    },
    {
      id: 'chat.previous-message',
      title: 'Previous message',
      group: 'Chat',
      shortcut: 'Alt+ArrowUp',
      keywords: 'jump scroll',
      enabled: isFindable,
      run: () => log.current?.step(-1),
    },
    {
      id: 'chat.next-message',
      title: 'Next message',
      group: 'Chat',
      shortcut: 'Alt+ArrowDown',
      keywords: 'jump scroll',
      enabled: isFindable,
      run: () => log.current?.step(1),
    },
    { id: 'chat.list', title: 'Toggle conversations', group: 'Chat', run: toggleList },
  ]);
}
