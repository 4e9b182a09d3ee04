import type { RefObject } from 'react';
import { useCommands } from '../../lib/commands.ts';
import { openFind, toggleList } from './chat-store.ts';
import { startConversation } from './conversations/conversation-settings.ts';
import type { LogControl } from './messages/log-control.ts';

interface ChatCommands {
  canRetry: boolean;
  canFind: boolean;
  onRetry: () => void;
  log: RefObject<LogControl | null>;
}

export function useChatCommands({ canRetry, canFind, onRetry, log }: ChatCommands): void {
  useCommands([
    {
      id: 'chat.retry',
      title: 'Retry last answer',
      group: 'Chat',
      keywords: 'again regenerate',
      enabled: canRetry,
      run: onRetry,
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
      enabled: canFind,
      run: openFind,
    },
    {
      id: 'chat.previous-message',
      title: 'Previous message',
      group: 'Chat',
      shortcut: 'Alt+ArrowUp',
      keywords: 'jump scroll',
      enabled: canFind,
      run: () => log.current?.step(-1),
    },
    {
      id: 'chat.next-message',
      title: 'Next message',
      group: 'Chat',
      shortcut: 'Alt+ArrowDown',
      keywords: 'jump scroll',
      enabled: canFind,
      run: () => log.current?.step(1),
    },
    { id: 'chat.list', title: 'Toggle conversations', group: 'Chat', run: toggleList },
  ]);
}
