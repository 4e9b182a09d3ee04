import { memo, useState } from 'react';
import type { ConversationSummary } from '../../../../shared/conversation.ts';
import { classNames } from '../../../ui/class-names.ts';
import { EditIcon, TrashIcon } from '../../../ui/icons/actions.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { tooltip } from '../../../ui/tooltip.ts';
import styles from './conversation-list.module.css';

export type RowState = 'running' | 'failed';

interface ConversationRowProps {
  conversation: ConversationSummary;
  /** Marked beside the title. */
  state: RowState | null;
  isSelected: boolean;
  /** Of its main control, in a roving list. */
  tabIndex: number;
  onSelect: (id: string) => void;
  onRename: (id: string, title: string) => void;
  onDelete: (conversation: ConversationSummary) => void;
}

export const ConversationRow = memo(function ConversationRow(props: ConversationRowProps) {
  const { conversation, state, isSelected, tabIndex, onSelect, onRename, onDelete } = props;
  const [renaming, setRenaming] = useState(false);
  const title = conversation.title === '' ? 'New conversation' : conversation.title;
  if (renaming) {
    return (
      <RenameField
        title={title}
        onDone={(newTitle) => {
          setRenaming(false);
          if (newTitle !== null && newTitle !== title) onRename(conversation.id, newTitle);
        }}
      />
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside take the keys.
    <div
      className={classNames(styles.row, isSelected && styles.selected)}
      data-row={conversation.id}
      onKeyDown={(event) => {
        if (event.key === 'F2') setRenaming(true);
        else if (event.key === 'Delete') {
          // Held down, it would delete the next row too.
          if (!event.repeat) onDelete(conversation);
        } else return;
        event.preventDefault();
      }}
    >
      <button
        type="button"
        tabIndex={tabIndex}
        className={styles.title}
        aria-current={isSelected ? 'true' : undefined}
        title={title}
        onClick={() => onSelect(conversation.id)}
        onDoubleClick={() => setRenaming(true)}
      >
        <span>{title}</span>
        {conversation.match !== null && <span className={styles.match}>{conversation.match}</span>}
      </button>
      {state !== null && (
        <span
          role="img"
          aria-label={stateLabels[state]}
          className={styles.mark}
          data-state={state}
          {...tooltip(stateLabels[state])}
        />
      )}
      <Menu
        label={`Actions for ${title}`}
        size="small"
        tabIndex={-1}
        items={[
          {
            id: 'rename',
            label: 'Rename',
            shortcut: 'F2',
            icon: <EditIcon />,
            onSelect: () => setRenaming(true),
          },
          {
            id: 'delete',
            label: 'Delete',
            shortcut: 'Delete',
            icon: <TrashIcon />,
            danger: true,
            onSelect: () => onDelete(conversation),
          },
        ]}
      />
    </div>
  );
});

const stateLabels: Readonly<Record<RowState, string>> = {
  running: 'Running',
  failed: 'Last run failed',
};

interface RenameFieldProps {
  title: string;
  /** Null if the user thought better of it. */
  onDone: (title: string | null) => void;
}

function RenameField({ title, onDone }: RenameFieldProps) {
  const [value, setValue] = useState(title);
  const finish = () => onDone(value.trim() === '' ? null : value.trim().slice(0, 200));
  return (
    <TextField
      label="Conversation name"
      hideLabel
      className={styles.rename}
      value={value}
      onValueChange={setValue}
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish();
        if (event.key === 'Escape') onDone(null);
        event.stopPropagation();
      }}
    />
  );
}
