import { type RefObject, useMemo } from 'react';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import { SearchIcon } from '../../../ui/icons/actions.tsx';
import { Menu, type MenuEntry } from '../../../ui/menu.tsx';
import { readMessageText } from '../answer/answer.ts';
import { openFind } from '../chat-store.ts';
import type { LogControl } from './log-control.ts';

/** A longer menu would be slow to open and to read; Find reaches every message. */
const MAX_ITEMS = 100;
const MAX_LABEL = 60;

interface MessageMenuProps {
  path: readonly TreeMessage[];
  control: RefObject<LogControl | null>;
}

/** Searches the conversation and jumps to one of its questions. */
export function MessageMenu({ path, control }: MessageMenuProps) {
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
        onSelect: () => control.current?.jumpTo(message.id),
      })),
    ];
  }, [path, control]);
  return <Menu label="Find and jump" icon={<SearchIcon />} items={items} />;
}

function getLabel(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  if (line === '') return 'Message without text';
  return line.length > MAX_LABEL ? `${line.slice(0, MAX_LABEL).trimEnd()}…` : line;
}
