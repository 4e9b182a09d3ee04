import { type MouseEvent, memo, useEffect, useState } from 'react';
import type { ConversationSummary } from '../../../../shared/conversation.ts';
import { isFinished } from '../../../../shared/run.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Menu } from '../../../ui/menu.tsx';
import { focusRow } from '../../../ui/roving-list.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';
import {
  conversationsUndoKey,
  removeConversation,
  renameConversation,
} from '../conversation/chat-actions.ts';
import {
  markFailureSeen,
  renameInList,
  selectConversation,
  useChat,
} from '../conversation/chat-store.ts';
import styles from './conversation-list.module.css';
import { getConversationItems } from './conversation-menu.tsx';
import { setCheckedAndFocus } from './organize-conversations.ts';

interface ConversationRowProps {
  conversation: ConversationSummary;
  folders: readonly string[];
  /** The row to focus if this one leaves the list. */
  neighborId: string | null;
  isSelected: boolean;
  isNested: boolean;
  /** Null unless the user is selecting several conversations. */
  isChecked: boolean | null;
  /** Adds the conversation to the selection, with those before it if `isRange`. */
  onCheck: (id: string, isRange: boolean) => void;
  tabIndex: number;
}

export const ConversationRow = memo(function ConversationRow(props: ConversationRowProps) {
  const { conversation, folders, neighborId, isSelected, isNested, isChecked } = props;
  const { onCheck, tabIndex } = props;
  const { id, lastRunStatus } = conversation;
  const isRunning = lastRunStatus !== null && !isFinished(lastRunStatus);
  const seenAt = useChat(({ seenFailures }) => seenFailures[id]);
  const isUnseen =
    !isRunning && !quietStatuses.has(lastRunStatus) && seenAt !== conversation.messageCount;
  useEffect(() => {
    if (isSelected && isUnseen) markFailureSeen(conversation);
  }, [isSelected, isUnseen, conversation]);
  const renaming = useChat(({ renamingId }) => renamingId === id);
  const title = conversation.title === '' ? 'New conversation' : conversation.title;
  if (renaming) {
    return (
      <RenameField
        id={id}
        title={title}
        onDone={(newTitle) => {
          renameInList(null);
          if (newTitle === null || newTitle === title) return;
          void renameConversation(id, newTitle);
        }}
      />
    );
  }

  function select(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) onCheck(id, event.shiftKey);
    else selectConversation(id);
  }

  const text = (
    <span className={styles.text} dir="auto">
      <span>{title}</span>
      {conversation.match !== null && <span className={styles.match}>{conversation.match}</span>}
    </span>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key events come from the buttons inside.
    <div
      className={classNames(
        styles.row,
        isSelected && isChecked === null && styles.selected,
        isNested && styles.nested,
      )}
      data-row={id}
      onKeyDown={(event) => {
        if (event.key === 'F2') renameInList(id);
        else if (event.key === 'Delete') {
          // Ignore key repeat, which would also delete the next row.
          if (!event.repeat) void removeConversation(conversation, neighborId);
        } else if (event.key === 'Escape' && isChecked !== null) setCheckedAndFocus(null, id);
        else return;
        event.preventDefault();
      }}
    >
      {isChecked === null ? (
        <button
          type="button"
          tabIndex={tabIndex}
          className={styles.title}
          aria-current={isSelected ? 'true' : undefined}
          title={title}
          onClick={select}
          onDoubleClick={() => renameInList(id)}
        >
          {text}
        </button>
      ) : (
        <Checkbox
          checked={isChecked}
          tabIndex={tabIndex}
          className={styles.title}
          onCheckedChange={(_checked, event) =>
            onCheck(id, 'shiftKey' in event && event.shiftKey === true)
          }
        >
          {text}
        </Checkbox>
      )}
      {isRunning && <Mark label="Running" isRunning />}
      {isUnseen && <Mark label="Last answer failed" />}
      {isChecked === null && (
        <Menu
          label={`Actions for ${title}`}
          size="small"
          className={styles.actions}
          tabIndex={-1}
          items={getConversationItems(conversation, folders, neighborId)}
        />
      )}
    </div>
  );
});

const quietStatuses: ReadonlySet<unknown> = new Set([null, 'succeeded', 'cancelled']);

function Mark({ label, isRunning }: { label: string; isRunning?: boolean }) {
  return (
    <Tooltip text={label}>
      <span role="img" aria-label={label} className={styles.mark} data-running={isRunning} />
    </Tooltip>
  );
}

interface RenameFieldProps {
  id: string;
  title: string;
  /** A null title means that the user canceled. */
  onDone: (title: string | null) => void;
}

function RenameField({ id, title, onDone }: RenameFieldProps) {
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
        event.stopPropagation();
        if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape'))
          return;
        // Focus moves to the row immediately, and the same Enter would also open it.
        event.preventDefault();
        if (event.key === 'Enter') finish();
        else onDone(null);
        focusRow(conversationsUndoKey, id);
      }}
    />
  );
}
