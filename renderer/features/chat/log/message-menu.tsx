import { useMemo } from 'react';
import { SearchIcon } from '../../../ui/icons/actions.tsx';
import { Menu, type MenuEntry } from '../../../ui/menu.tsx';
import { openFind } from '../conversation/chat-store.ts';
import { useChatSession, useChatState } from '../session/chat-session.ts';
import { readMessageText } from './answer/answer.ts';

/** A longer menu would be slow to open and to read; Find reaches every message. */
const MAX_ITEMS = 100;
const MAX_LABEL = 60;

/** Searches the conversation and jumps to one of its questions. */
export function MessageMenu() {
  const { log } = useChatSession();
  const path = useChatState((chat) => chat.path);
  const items = useMemo((): MenuEntry[] => {
    const questions = path.filter(({ role }) => role === 'user').slice(-MAX_ITEMS);
    return [
      {
        id: 'find',
        label: 'Find in conversation',
        icon: <SearchIcon />,
        shortcut: 'Mod+F',
        onSelect: openFind,
      },
      'separator',
      ...questions.map((message) => ({
        id: message.id,
        label: getLabel(readMessageText(message)),
        onSelect: () => log.current?.jumpTo(message.id),
      })),
    ];
  }, [path, log]);
  return <Menu label="Find and jump" icon={<SearchIcon />} items={items} />;
}

function getLabel(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  if (line === '') return 'Message without text';
  return line.length > MAX_LABEL ? `${line.slice(0, MAX_LABEL).trimEnd()}…` : line;
}
