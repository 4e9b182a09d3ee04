import { type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import type { WrittenMessage } from '../../../shared/conversation.ts';
import type { Role } from '../../../shared/operations/message.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './composer.module.css';
import { type ComposerDraft, emptyComposerDraft, loadComposerDraft } from './composer-drafts.ts';
import { RawTextArea } from './raw-text-area.tsx';
import { useDraftSaving } from './use-draft-saving.ts';

export type ComposerHandle = {
  /** Null while there is nothing to send. */
  read: () => WrittenMessage | null;
  clear: () => void;
};

interface ComposerProps {
  ref: Ref<ComposerHandle>;
  conversationId: string | null;
  /** The tool call that waits for its result, offered for the role `tool`. */
  openToolCallId: string | null;
  focused: boolean;
  /** Whether there is nothing to send; told by `onEmptyChange`. */
  isEmpty: boolean;
  onEmptyChange: (isEmpty: boolean) => void;
  onAdd: () => void;
}

const ROLES: readonly Role[] = ['user', 'system', 'developer', 'assistant', 'tool'];

export function Composer(props: ComposerProps) {
  const { ref, conversationId, openToolCallId, focused, isEmpty, onEmptyChange, onAdd } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const [initial] = useState(() => loadComposerDraft(conversationId));
  const [head, setHead] = useState<Omit<ComposerDraft, 'text'>>(initial);
  const toolCallId = head.toolCallId || (openToolCallId ?? '');
  const { saveNow, saveSoon, forget } = useDraftSaving(conversationId, () => ({
    ...head,
    text: area.current?.value ?? '',
  }));

  useLayoutEffect(() => onEmptyChange(initial.text.trim() === ''), [initial, onEmptyChange]);

  useImperativeHandle(ref, () => ({
    read() {
      const text = area.current?.value ?? '';
      return text.trim() === '' ? null : written(text, { ...head, toolCallId });
    },
    clear() {
      if (area.current !== null) area.current.value = '';
      onEmptyChange(true);
      setHead(emptyComposerDraft);
      forget();
    },
  }));

  function changeHead(change: Partial<Omit<ComposerDraft, 'text'>>) {
    setHead((current) => ({ ...current, ...change }));
    saveSoon();
  }

  return (
    <div className={styles.composer}>
      <RawTextArea
        ref={area}
        label="Message"
        placeholder="Write a message"
        defaultValue={initial.text}
        rows={3}
        autoFocus={focused}
        onInput={(event) => {
          // A short look at the start, not a trim of all of it: it may be a megabyte.
          const { value } = event.currentTarget;
          onEmptyChange(value.length < 1000 && value.trim() === '');
          saveSoon();
        }}
        onBlur={saveNow}
      />
      <div className={styles.row}>
        <Select
          label="Role"
          hideLabel
          value={head.role}
          options={ROLES.map((role) => ({ value: role, label: role }))}
          onValueChange={(value) => changeHead({ role: ROLES.find((r) => r === value) ?? 'user' })}
        />
        {head.role === 'tool' ? (
          <TextField
            label="Tool call id"
            hideLabel
            placeholder="tool_call_id"
            monospace
            value={toolCallId}
            onValueChange={(value) => changeHead({ toolCallId: value })}
          />
        ) : (
          <TextField
            label="Name"
            hideLabel
            placeholder="name (optional)"
            value={head.name}
            onValueChange={(value) => changeHead({ name: value })}
          />
        )}
        <Button variant="quiet" onClick={onAdd} disabledReason={isEmpty ? 'Write it first.' : null}>
          Add without running
        </Button>
      </div>
    </div>
  );
}

function written(text: string, head: Omit<ComposerDraft, 'text'>): WrittenMessage {
  const name = head.role === 'tool' ? '' : head.name.trim();
  const toolCallId = head.role === 'tool' ? head.toolCallId.trim() : '';
  return {
    role: head.role,
    content: text,
    ...(name === '' ? {} : { name }),
    ...(toolCallId === '' ? {} : { toolCallId }),
  };
}
