import type { ExportFormat } from '../../../../shared/contract/conversations.ts';
import type { ConversationSummary } from '../../../../shared/conversation.ts';
import {
  ArchiveIcon,
  CloseIcon,
  CopyIcon,
  EditIcon,
  FolderIcon,
  PinIcon,
  PlusIcon,
  SelectIcon,
  TrashIcon,
} from '../../../ui/icons/actions.tsx';
import { DownloadIcon } from '../../../ui/icons/media.tsx';
import { CheckIcon } from '../../../ui/icons/status.tsx';
import type { MenuEntry, MenuItem, Submenu } from '../../../ui/menu.tsx';
import { removeConversation } from '../conversation/chat-actions.ts';
import {
  openFolderDialog,
  renameInList,
  setCheckedConversations,
} from '../conversation/chat-store.ts';
import type { Section } from './list-lines.ts';
import {
  archiveConversations,
  duplicateConversation,
  moveToFolder,
  pinConversations,
  renameFolder,
  setCheckedAndFocus,
} from './organize-conversations.ts';
import { downloadConversations } from './transfer-conversations.ts';

export function getConversationItems(
  conversation: ConversationSummary,
  folders: readonly string[],
  neighborId: string | null,
): MenuEntry[] {
  const { id, pinned, archived, title } = conversation;
  return [
    {
      id: 'pin',
      label: pinned ? 'Unpin' : 'Pin',
      icon: <PinIcon />,
      onSelect: () => pinConversations([id], !pinned),
    },
    {
      id: 'rename',
      label: 'Rename',
      shortcut: 'F2',
      icon: <EditIcon />,
      onSelect: () => renameInList(id),
    },
    {
      id: 'duplicate',
      label: 'Duplicate',
      icon: <CopyIcon />,
      onSelect: () => duplicateConversation(id),
    },
    getFolderMenu([conversation], folders),
    getExportMenu([id], title),
    {
      id: 'archive',
      label: archived ? 'Move out of archive' : 'Archive',
      icon: <ArchiveIcon />,
      onSelect: () => archiveConversations([conversation], !archived, neighborId),
    },
    {
      id: 'select',
      label: 'Select',
      icon: <SelectIcon />,
      onSelect: () => setCheckedAndFocus([id], id),
    },
    'separator',
    {
      id: 'delete',
      label: 'Delete',
      shortcut: 'Delete',
      icon: <TrashIcon />,
      danger: true,
      onSelect: () => void removeConversation(conversation, neighborId),
    },
  ];
}

/** `neighborId` is the row to focus if the selected rows leave the list. */
export function getSelectionItems(
  conversations: readonly ConversationSummary[],
  folders: readonly string[],
  neighborId: string | null,
): MenuEntry[] {
  const ids = conversations.map(({ id }) => id);
  const isPinned = conversations.every(({ pinned }) => pinned);
  const isArchived = conversations.every(({ archived }) => archived);
  return [
    {
      id: 'pin',
      label: isPinned ? 'Unpin' : 'Pin',
      icon: <PinIcon />,
      onSelect: () => pinConversations(ids, !isPinned),
    },
    getFolderMenu(conversations, folders),
    getExportMenu(ids, null),
    {
      id: 'archive',
      label: isArchived ? 'Move out of archive' : 'Archive',
      icon: <ArchiveIcon />,
      onSelect: () => archiveConversations(conversations, !isArchived, neighborId),
    },
    'separator',
    {
      id: 'delete',
      label: 'Delete',
      icon: <TrashIcon />,
      danger: true,
      onSelect: () => void removeAll(conversations, neighborId),
    },
  ];
}

async function removeAll(
  conversations: readonly ConversationSummary[],
  neighborId: string | null,
): Promise<void> {
  for (const conversation of conversations) {
    if (!(await removeConversation(conversation, neighborId))) return;
  }
  if (neighborId !== null) setCheckedAndFocus(null, neighborId);
  else setCheckedConversations(null);
}

export function getSectionItems(
  section: Section,
  conversations: readonly ConversationSummary[],
): MenuEntry[] {
  const ids = conversations.map(({ id }) => id);
  if (section.kind === 'archived') return [getExportMenu(ids, 'Archived conversations')];
  const { name } = section;
  return [
    {
      id: 'rename',
      label: 'Rename folder',
      shortcut: 'F2',
      icon: <EditIcon />,
      onSelect: () => openFolderDialog({ folder: name }),
    },
    getExportMenu(ids, name),
    'separator',
    {
      id: 'remove',
      label: 'Remove folder, keep conversations',
      icon: <TrashIcon />,
      onSelect: () => void renameFolder(name, null),
    },
  ];
}

function getFolderMenu(
  conversations: readonly ConversationSummary[],
  folders: readonly string[],
): Submenu {
  const ids = conversations.map(({ id }) => id);
  const inside = new Set(conversations.map(({ folder }) => folder));
  const known = folders.map(
    (name): MenuItem => ({
      id: `folder ${name}`,
      label: name,
      icon: inside.size === 1 && inside.has(name) ? <CheckIcon /> : <FolderIcon />,
      onSelect: () => void moveToFolder(ids, name),
    }),
  );
  return {
    id: 'folder',
    label: 'Move to folder',
    icon: <FolderIcon />,
    items: [
      ...known,
      ...(known.length > 0 ? (['separator'] as const) : []),
      {
        id: 'new',
        label: 'New folder…',
        icon: <PlusIcon />,
        onSelect: () => openFolderDialog({ ids }),
      },
      ...(inside.size === 1 && inside.has(null)
        ? []
        : [
            {
              id: 'none',
              label: 'No folder',
              icon: <CloseIcon />,
              onSelect: () => void moveToFolder(ids, null),
            },
          ]),
    ],
  };
}

const formats: readonly { format: ExportFormat; label: string }[] = [
  { format: 'json', label: 'JSON (complete, with media)' },
  { format: 'markdown', label: 'Markdown (shown branch)' },
  { format: 'jsonl', label: 'JSONL (OpenAI messages)' },
];

/** `title` names the file; `all` also exports conversations that the list doesn't show. */
export function getExportMenu(ids: readonly string[] | 'all', title: string | null): Submenu {
  return {
    id: 'export',
    label: ids === 'all' ? 'Export all' : 'Export',
    icon: <DownloadIcon />,
    items: formats.map(({ format, label }) => ({
      id: format,
      label,
      disabled: ids.length === 0,
      onSelect: () => void downloadConversations(ids, format, title),
    })),
  };
}
