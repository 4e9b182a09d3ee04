import { lazy, type Ref, Suspense, useImperativeHandle, useRef, useState } from 'react';
import type { WrittenMessage } from '../../../../shared/conversation.ts';
import type { ContentPart, Role } from '../../../../shared/operations/chat/message.ts';
import { AttachButton } from '../../../media/uploads/attach-button.tsx';
import { DropZone } from '../../../media/uploads/drop-zone.tsx';
import { anything } from '../../../media/uploads/media-filter.ts';
import { UploadList } from '../../../media/uploads/upload-list.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { Select } from '../../../ui/select.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { AddPart } from './add-part.tsx';
import styles from './composer.module.css';
import { type ComposerDraft, emptyComposerDraft, loadComposerDraft } from './composer-drafts.ts';
import { contentOf } from './content-parts.ts';
import { PartChips } from './part-chips.tsx';
import { RawTextArea } from './raw-text-area.tsx';
import { useAttachments, useTold } from './use-attachments.ts';
import { useDraftSaving } from './use-draft-saving.ts';

const RecorderControls = lazy(async () => ({
  default: (await import('../../../media/capture/recorder-controls.tsx')).RecorderControls,
}));

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
  /** Files and recordings that are still on their way. */
  onBusyChange: (isBusy: boolean) => void;
  onAdd: () => void;
}

type Head = Omit<ComposerDraft, 'text'>;

export function Composer(props: ComposerProps) {
  const { ref, conversationId, openToolCallId, focused, isEmpty, onEmptyChange, onAdd } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const [initial] = useState(() => loadComposerDraft(conversationId));
  const [head, setHead] = useState<Head>(initial);
  const [hasText, setHasText] = useState(initial.text.trim() !== '');
  const [recording, setRecording] = useState(false);
  const attachments = useAttachments(conversationId);
  const { parts, uploads, converting } = attachments;
  const toolCallId = head.toolCallId || (openToolCallId ?? '');
  const { saveNow, saveSoon, forget } = useDraftSaving(conversationId, () => ({
    ...head,
    text: area.current?.value ?? '',
  }));
  const isBusy = attachments.busy || recording;

  useTold(!hasText && parts.length === 0, onEmptyChange);
  useTold(isBusy, props.onBusyChange);

  useImperativeHandle(ref, () => ({
    read() {
      const text = area.current?.value ?? '';
      if (text.trim() === '' && parts.length === 0) return null;
      return written(text, parts, { ...head, toolCallId });
    },
    clear() {
      if (area.current !== null) area.current.value = '';
      setHasText(false);
      attachments.setParts([]);
      setHead(emptyComposerDraft);
      forget();
    },
  }));

  function changeHead(change: Partial<Head>) {
    setHead((current) => ({ ...current, ...change }));
    saveSoon();
  }

  const addReason = isBusy ? 'Wait until the attachments are there.' : 'Write it first.';
  return (
    <DropZone uploads={uploads} label="Drop files to attach them" className={styles.composer}>
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
          setHasText(value.length >= 1000 || value.trim() !== '');
          saveSoon();
        }}
        onBlur={saveNow}
      />
      <PartChips parts={parts} onChange={attachments.setParts} />
      <UploadList uploads={uploads} />
      {converting > 0 && (
        <p className={styles.converting}>
          <Spinner /> Converting the sound to 16-bit mono wav
        </p>
      )}
      {attachments.problem !== null && (
        <ErrorAlert compact error={attachments.problem} onDismiss={attachments.dismissProblem} />
      )}
      <div className={styles.row}>
        <AttachButton uploads={uploads} filter={anything} />
        <Suspense fallback={<Spinner />}>
          <RecorderControls compact onRecorded={attachments.addMedia} onBusyChange={setRecording} />
        </Suspense>
        <AddPart onPart={attachments.addPart} onMedia={attachments.addMedia} />
      </div>
      <div className={styles.row}>
        <HeadFields head={head} toolCallId={toolCallId} onChange={changeHead} />
        <Button
          variant="quiet"
          className={styles.add}
          onClick={onAdd}
          disabledReason={isEmpty || isBusy ? addReason : null}
        >
          Add without running
        </Button>
      </div>
    </DropZone>
  );
}

const ROLES: readonly Role[] = ['user', 'system', 'developer', 'assistant', 'tool'];

interface HeadFieldsProps {
  head: Head;
  toolCallId: string;
  onChange: (change: Partial<Head>) => void;
}

/** Who says it: role, and name or the call that it answers. */
function HeadFields({ head, toolCallId, onChange }: HeadFieldsProps) {
  return (
    <>
      <Select
        label="Role"
        hideLabel
        className={styles.role}
        value={head.role}
        options={ROLES.map((role) => ({ value: role, label: role }))}
        onValueChange={(value) => onChange({ role: ROLES.find((r) => r === value) ?? 'user' })}
      />
      {head.role === 'tool' ? (
        <TextField
          label="Tool call id"
          hideLabel
          className={styles.name}
          placeholder="tool_call_id"
          monospace
          value={toolCallId}
          onValueChange={(value) => onChange({ toolCallId: value })}
        />
      ) : (
        <TextField
          label="Name"
          hideLabel
          className={styles.name}
          placeholder="name (optional)"
          value={head.name}
          onValueChange={(value) => onChange({ name: value })}
        />
      )}
    </>
  );
}

function written(text: string, parts: readonly ContentPart[], head: Head): WrittenMessage {
  const name = head.role === 'tool' ? '' : head.name.trim();
  const toolCallId = head.role === 'tool' ? head.toolCallId.trim() : '';
  return {
    role: head.role,
    content: contentOf(text, parts),
    ...(name === '' ? {} : { name }),
    ...(toolCallId === '' ? {} : { toolCallId }),
  };
}
