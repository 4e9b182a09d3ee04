import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  memo,
  useCallback,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { useShallow } from 'zustand/react/shallow';
import { type ConversationSummary, MAX_SEARCHED_LENGTH } from '../../../../shared/conversation.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { formatCount } from '../../../lib/format-quantity.ts';
import { useNow } from '../../../run/live/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { FileDrop } from '../../../ui/file-drop.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { ContextMenu, type MenuEntry } from '../../../ui/menu.tsx';
import { ResizeHandle } from '../../../ui/resize-handle.tsx';
import { focusRow, useRovingList } from '../../../ui/roving-list.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { UndoBars } from '../../../ui/undo-bars.tsx';
import { conversationsUndoKey } from '../conversation/chat-actions.ts';
import {
  type FolderDialog,
  listWidths,
  openFolderDialog,
  setCheckedConversations,
  setListWidth,
  useChat,
} from '../conversation/chat-store.ts';
import styles from './conversation-list.module.css';
import { getConversationItems, getSectionItems } from './conversation-menu.tsx';
import { ConversationRow } from './conversation-row.tsx';
import { ListHead, SelectionBar } from './list-head.tsx';
import { getListLines, type ListLine, toLines } from './list-lines.ts';
import { getArchivedQuery, getConversationsQuery, PAGE } from './list-query.ts';
import { moveToFolder, renameFolder } from './organize-conversations.ts';
import { SectionRow } from './section-row.tsx';
import { importFiles } from './transfer-conversations.ts';

const none: readonly ConversationSummary[] = [];

/** Memoized so that typing in the composer doesn't render the list again. */
export const ConversationNavigation = memo(function ConversationNavigation() {
  const [search, setSearch] = useState('');
  const searched = useDeferredValue(search.trim().slice(0, 200));
  const [limit, setLimit] = useState(PAGE);
  const chat = useChat(
    useShallow(({ selectedId, listWidth, checkedIds, folderDialog }) => ({
      selectedId,
      listWidth,
      checkedIds,
      folderDialog,
    })),
  );
  const { selectedId, checkedIds } = chat;
  const { data: listed = none, error } = useQuery({
    ...getConversationsQuery(searched, limit),
    placeholderData: keepPreviousData,
  });
  const { lines, folders } = useLines(listed, search !== '', limit);
  const { rows, places, conversations, neighbors } = useMemo(() => readLines(lines), [lines]);
  const nav = useRef<HTMLElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const getLine = (index: number) => lines.findIndex(({ key }) => key === rows[index]?.key);
  const roving = useRovingList({
    name: conversationsUndoKey,
    keys: useMemo(() => rows.map(({ key }) => key), [rows]),
    currentKey: selectedId,
    getItemText: (index) => getTitle(rows[index]),
    scrollTo: (index) => list.current?.scrollToIndex(getLine(index), { align: 'nearest' }),
  });
  const onCheck = useCheck(conversations);
  const checked = conversations.filter(({ id }) => checkedIds?.includes(id));

  function getItems(target: Element): readonly MenuEntry[] {
    const key = target.closest<HTMLElement>('[data-row]')?.dataset.row;
    const row = rows.find((one) => one.key === key);
    if (row?.kind === 'section') return getSectionItems(row.section, getInside(row, listed, lines));
    if (row?.kind !== 'conversation') return [];
    return getConversationItems(row.conversation, folders, neighbors.get(row.key) ?? null);
  }

  const drawRow = (line: Exclude<ListLine, { kind: 'heading' }>) => {
    const tabIndex = roving.getTabIndex(places.get(line.key) ?? -1);
    if (line.kind === 'section') {
      const inside = getInside(line, listed, lines);
      return <SectionRow key={line.key} line={line} conversations={inside} tabIndex={tabIndex} />;
    }
    const { conversation, isNested } = line;
    return (
      <ConversationRow
        key={line.key}
        conversation={conversation}
        isNested={isNested}
        folders={folders}
        tabIndex={tabIndex}
        onCheck={onCheck}
        neighborId={neighbors.get(line.key) ?? null}
        isSelected={conversation.id === selectedId}
        isChecked={checkedIds?.includes(conversation.id) ?? null}
      />
    );
  };

  return (
    <nav
      ref={nav}
      className={styles.list}
      style={{ width: chat.listWidth }}
      aria-label="Conversations"
    >
      <ResizeHandle
        label="Conversation list width"
        edge="right"
        size={chat.listWidth}
        min={listWidths.min}
        max={listWidths.max}
        defaultSize={listWidths.default}
        sizeAt={(event) => event.clientX - (nav.current?.getBoundingClientRect().left ?? 0)}
        onResize={setListWidth}
      />
      <FileDrop className={styles.drop} onFiles={(files) => void importFiles(files)}>
        <ListHead search={search} onSearch={setSearch} isEmpty={rows.length === 0} />
        {error !== null && <ErrorAlert error={toAppError(error)} compact />}
        <ContextMenu label="Conversation actions" className={styles.menuArea} getItems={getItems}>
          <div ref={scroller} className={styles.rows} {...roving.listProps}>
            <Virtualizer
              ref={list}
              scrollRef={scroller}
              bufferSize={400}
              keepMounted={rows.length > 0 ? [getLine(roving.stop)] : []}
            >
              {lines.map((line) =>
                line.kind === 'heading' ? (
                  <h2 key={line.key} className={styles.group}>
                    {line.title}
                  </h2>
                ) : (
                  drawRow(line)
                ),
              )}
            </Virtualizer>
            {listed.length === limit && search === '' && (
              <Button size="small" variant="quiet" onClick={() => setLimit(limit + PAGE)}>
                Show older conversations
              </Button>
            )}
            {rows.length === 0 && error === null && (
              <p className={`caption ${styles.none}`}>
                {search === '' ? 'No conversations yet' : describeNoMatches()}
              </p>
            )}
          </div>
        </ContextMenu>
        {checkedIds !== null && (
          <SelectionBar
            conversations={checked}
            folders={folders}
            neighborId={conversations.find(({ id }) => !checkedIds.includes(id))?.id ?? null}
          />
        )}
        <UndoBars place={conversationsUndoKey} className={styles.undo} />
      </FileDrop>
      {chat.folderDialog !== null && <FolderNameDialog dialog={chat.folderDialog} />}
    </nav>
  );
});

function useLines(listed: readonly ConversationSummary[], isSearch: boolean, limit: number) {
  const { closedFolders, archivedOpen } = useChat(
    useShallow(({ closedFolders, archivedOpen }) => ({ closedFolders, archivedOpen })),
  );
  const { data: archived = none } = useQuery({
    ...getArchivedQuery(archivedOpen ? limit : 1),
    placeholderData: keepPreviousData,
  });
  const today = new Date(useNow(60_000)).toDateString();
  const lines = useMemo(() => {
    if (isSearch) return toLines(listed);
    const now = new Date(today);
    return getListLines({ conversations: listed, archived, closedFolders, archivedOpen, now });
  }, [listed, archived, closedFolders, archivedOpen, isSearch, today]);
  const names = [...listed, ...archived].flatMap(({ folder }) => folder ?? []);
  const joined = [...new Set(names)].sort().join('\n');
  // Keep the array stable, so that rows re-render only if the folders change.
  const folders = useMemo(() => joined.split('\n').filter((name) => name !== ''), [joined]);
  return { lines, folders };
}

/** Returns a stable function that checks a conversation, or all from the last checked one to it. */
function useCheck(conversations: readonly ConversationSummary[]) {
  const latest = useRef(conversations);
  const last = useRef<string | null>(null);
  useLayoutEffect(() => {
    latest.current = conversations;
  });
  return useCallback((id: string, isRange: boolean) => {
    const { checkedIds, selectedId } = useChat.getState();
    const ids = latest.current.map((one) => one.id);
    const from = ids.indexOf(last.current ?? selectedId ?? '');
    const to = ids.indexOf(id);
    last.current = id;
    const before = checkedIds ?? [];
    if (checkedIds === null) focusRow(conversationsUndoKey, id);
    if (isRange && from !== -1) {
      const range = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
      setCheckedConversations([...new Set([...before, ...range])]);
    } else {
      const isChecked = before.includes(id);
      setCheckedConversations(isChecked ? before.filter((one) => one !== id) : [...before, id]);
    }
  }, []);
}

function describeNoMatches(): string {
  const limit = formatCount(MAX_SEARCHED_LENGTH);
  return `No matching conversations. Search covers the first ${limit} characters of each message.`;
}

function getTitle(line: ListLine | undefined): string {
  if (line === undefined) return '';
  return line.kind === 'conversation' ? line.conversation.title : line.title;
}

function readLines(lines: readonly ListLine[]) {
  const rows = lines.filter((line) => line.kind !== 'heading');
  const conversations = rows.flatMap((row) =>
    row.kind === 'conversation' ? row.conversation : [],
  );
  return {
    rows,
    conversations,
    places: new Map(rows.map(({ key }, index) => [key, index])),
    /** The conversation to focus if another one leaves the list. */
    neighbors: new Map(
      conversations.map(({ id }, index) => [
        id,
        (conversations[index + 1] ?? conversations[index - 1])?.id ?? null,
      ]),
    ),
  };
}

/** Returns a section's conversations, even while the section is collapsed. */
function getInside(
  { section }: Extract<ListLine, { kind: 'section' }>,
  listed: readonly ConversationSummary[],
  lines: readonly ListLine[],
): readonly ConversationSummary[] {
  if (section.kind === 'folder') {
    return listed.filter(({ folder, pinned }) => folder === section.name && !pinned);
  }
  return lines.flatMap((line) =>
    line.kind === 'conversation' && line.conversation.archived ? line.conversation : [],
  );
}

const MAX_LENGTH = 80;

function FolderNameDialog({ dialog }: { dialog: FolderDialog }) {
  const before = 'folder' in dialog ? dialog.folder : '';
  const [name, setName] = useState(before);
  const trimmed = name.trim().slice(0, MAX_LENGTH);
  const close = () => openFolderDialog(null);
  return (
    <FormDialog
      title={'folder' in dialog ? 'Rename folder' : 'New folder'}
      size="small"
      saveLabel={'folder' in dialog ? 'Rename' : 'Create folder'}
      disabledReason={trimmed === '' ? 'Enter a name.' : null}
      onClose={close}
      onSave={() => {
        close();
        if (trimmed === before) return;
        if ('folder' in dialog) void renameFolder(before, trimmed);
        else void moveToFolder(dialog.ids, trimmed);
      }}
    >
      <TextField
        label="Folder name"
        value={name}
        onValueChange={setName}
        autoFocus
        onFocus={(event) => event.currentTarget.select()}
      />
    </FormDialog>
  );
}
