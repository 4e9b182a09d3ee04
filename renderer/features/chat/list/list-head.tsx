import { useRef } from 'react';
import type { ConversationSummary } from '../../../../shared/conversation.ts';
import { formatCount } from '../../../lib/format-quantity.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { CloseIcon, ImportIcon, PlusIcon, SelectIcon } from '../../../ui/icons/actions.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { setCheckedConversations, useChat } from '../conversation/chat-store.ts';
import { startConversation } from '../conversation/conversation-settings.ts';
import styles from './conversation-list.module.css';
import { getExportMenu, getSelectionItems } from './conversation-menu.tsx';
import { setCheckedAndFocus } from './organize-conversations.ts';
import { importFiles } from './transfer-conversations.ts';

interface ListHeadProps {
  search: string;
  onSearch: (search: string) => void;
  isEmpty: boolean;
}

export function ListHead({ search, onSearch, isEmpty }: ListHeadProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const work = useChat(({ listWork }) => listWork);
  const stopWork = useChat(({ stopListWork }) => stopListWork);
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
            getExportMenu(isEmpty ? [] : 'all', null),
            {
              id: 'select',
              label: 'Select several',
              icon: <SelectIcon />,
              disabled: isEmpty,
              onSelect: () => setCheckedConversations([]),
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
          void importFiles([...(currentTarget.files ?? [])]);
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
      <div role="status" className={styles.status}>
        {work !== null && (
          <p className={`row-8 caption ${styles.work}`}>
            <Spinner /> {work}
            {stopWork !== null && (
              <Button size="small" onClick={stopWork}>
                Stop
              </Button>
            )}
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
  /** A row that isn't selected, to focus if the selected ones leave the list. */
  neighborId: string | null;
}

/** Shows how many conversations are checked, and the actions for all of them. */
export function SelectionBar({ conversations, folders, neighborId }: SelectionBarProps) {
  const count = conversations.length;
  const focusedId = conversations[0]?.id ?? neighborId;
  return (
    <div role="toolbar" aria-label="Selected conversations" className={`row-4 ${styles.selection}`}>
      <span role="status" className="grow truncate caption">
        {count === 0 ? 'Select conversations' : `${formatCount(count)} selected`}
      </span>
      {count > 0 && (
        <Menu
          label="Actions for the selection"
          trigger="Actions"
          size="small"
          items={getSelectionItems(conversations, folders, neighborId)}
        />
      )}
      <IconButton
        label="Stop selecting"
        icon={<CloseIcon size={14} />}
        size="small"
        onClick={() => {
          if (focusedId === null) setCheckedConversations(null);
          else setCheckedAndFocus(null, focusedId);
        }}
      />
    </div>
  );
}
