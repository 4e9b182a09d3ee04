import { useRef } from 'react';
import type { ConversationSummary } from '../../../../shared/conversation.ts';
import { pluralize } from '../../../lib/format-quantity.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { CloseIcon, ImportIcon, PlusIcon, SelectIcon } from '../../../ui/icons/actions.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { checkConversations, useChat } from '../chat-store.ts';
import styles from './conversation-list.module.css';
import { getExportMenu, getSelectionItems } from './conversation-menu.tsx';
import { startConversation } from './conversation-settings.ts';
import { importConversations } from './transfer-conversations.ts';

interface ListHeadProps {
  search: string;
  onSearch: (search: string) => void;
  /** All conversations of the list, for an export. */
  ids: readonly string[];
}

export function ListHead({ search, onSearch, ids }: ListHeadProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const work = useChat(({ listWork }) => listWork);
  const problem = useChat(({ listProblem }) => listProblem);
  return (
    <div className={`stack-8 ${styles.head}`}>
      <div className="row-4">
        <Button
          className="grow"
          icon={<PlusIcon />}
          shortcut="Mod+Shift+O"
          onClick={startConversation}
        >
          New conversation
        </Button>
        <Menu
          label="Conversation list actions"
          items={[
            {
              id: 'import',
              label: 'Import…',
              icon: <ImportIcon />,
              onSelect: () => chooser.current?.click(),
            },
            getExportMenu(ids, null),
            {
              id: 'select',
              label: 'Select several',
              icon: <SelectIcon />,
              disabled: ids.length === 0,
              onSelect: () => checkConversations([]),
            },
          ]}
        />
      </div>
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        tabIndex={-1}
        aria-label="Conversations to import"
        accept=".json,.jsonl,.md,application/json,text/markdown"
        onChange={({ currentTarget }) => {
          void importConversations([...(currentTarget.files ?? [])]);
          // Reset the input so the user can choose the same file again.
          currentTarget.value = '';
        }}
      />
      <TextField
        label="Search conversations"
        hideLabel
        type="search"
        placeholder="Search"
        value={search}
        onValueChange={onSearch}
      />
      <div role="status">
        {work !== null && (
          <p className={`row-8 caption ${styles.work}`}>
            <Spinner /> {work}
          </p>
        )}
      </div>
      {problem !== null && (
        <ErrorAlert
          error={problem}
          compact
          onDismiss={() => useChat.setState({ listProblem: null })}
        />
      )}
    </div>
  );
}

interface SelectionBarProps {
  conversations: readonly ConversationSummary[];
  folders: readonly string[];
}

/** Replaces nothing, but adds what can be done with the checked conversations. */
export function SelectionBar({ conversations, folders }: SelectionBarProps) {
  const count = conversations.length;
  return (
    <div role="toolbar" aria-label="Selected conversations" className={`row-4 ${styles.selection}`}>
      <span role="status" className="grow truncate caption">
        {count === 0 ? 'Select conversations' : `${pluralize(count, 'conversation')} selected`}
      </span>
      {count > 0 && (
        <Menu
          label="Actions for the selection"
          trigger="Actions"
          size="small"
          items={getSelectionItems(conversations, folders)}
        />
      )}
      <IconButton
        label="Stop selecting"
        icon={<CloseIcon size={14} />}
        size="small"
        onClick={() => checkConversations(null)}
      />
    </div>
  );
}
