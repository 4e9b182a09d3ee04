import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react';
import type { Role } from '../../../../shared/operations/chat/message.ts';
import { useFocusOnTaken } from '../../../media/hand-over/hand-over.ts';
import { HandOverNotice } from '../../../media/hand-over/hand-over-notice.tsx';
import { AttachButton } from '../../../media/uploads/attach-button.tsx';
import { DropZone } from '../../../media/uploads/drop-zone.tsx';
import { anything } from '../../../media/uploads/media-filter.ts';
import { UploadList } from '../../../media/uploads/upload-list.tsx';
import { FormProblem } from '../../../run/form/form-problem.tsx';
import { useForm, useIsLoaded } from '../../../run/form/use-form.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { Select } from '../../../ui/select.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { AddPart } from './add-part.tsx';
import styles from './composer.module.css';
import {
  addPart,
  type ComposerForm,
  messageIn,
  setParts,
  writeHead,
  writeText,
} from './composer-form.ts';
import { PartChips } from './part-chips.tsx';
import { RawTextArea } from './raw-text-area.tsx';
import { useAttachments } from './use-attachments.ts';

const RecorderControls = lazy(async () => ({
  default: (await import('../../../media/capture/recorder-controls.tsx')).RecorderControls,
}));

interface ComposerProps {
  form: ComposerForm;
  /** The tool call that waits for its result, offered for the role `tool`. */
  openToolCallId: string | null;
  focused: boolean;
  /** Whether there is nothing to send. */
  isEmpty: boolean;
  /** Files and recordings that are still on their way. */
  onBusyChange: (isBusy: boolean) => void;
  onAdd: () => void;
}

export function Composer(props: ComposerProps) {
  const { form, openToolCallId, focused, isEmpty, onBusyChange, onAdd } = props;
  const [recording, setRecording] = useState(false);
  const attachments = useAttachments(form);
  const { parts, uploads, converting } = attachments;
  const isBusy = attachments.busy || recording;

  // Before the frame is drawn: Run must not send without what is on its way.
  useLayoutEffect(() => onBusyChange(isBusy), [isBusy, onBusyChange]);

  const addReason = isBusy ? 'Wait until the attachments are there.' : 'Write it first.';
  return (
    <DropZone uploads={uploads} label="Drop files to attach them" className={styles.composer}>
      <MessageText form={form} focused={focused} />
      <PartChips parts={parts} onChange={(next) => setParts(form, next)} />
      <HandOverNotice panel="chat" />
      <UploadList uploads={uploads} />
      {converting > 0 && (
        <p className={styles.converting}>
          <Spinner /> Converting the sound to 16-bit mono wav
        </p>
      )}
      {attachments.problem !== null && (
        <ErrorAlert compact error={attachments.problem} onDismiss={attachments.dismissProblem} />
      )}
      <FormProblem form={form} />
      <div className={styles.row}>
        <AttachButton uploads={uploads} filter={anything} />
        <Suspense fallback={<Spinner />}>
          <RecorderControls compact onRecorded={attachments.addMedia} onBusyChange={setRecording} />
        </Suspense>
        <AddPart onPart={(part) => addPart(form, part)} onMedia={attachments.addMedia} />
      </div>
      <div className={styles.row}>
        <HeadFields form={form} openToolCallId={openToolCallId} />
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

/** Keeps its own text, which may be a megabyte: the form is told, and only tells what it did not hear from here. */
function MessageText({ form, focused }: { form: ComposerForm; focused: boolean }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const isLoaded = useIsLoaded(form);
  const [initial] = useState(() => messageIn(form).text);
  const shown = useRef(initial);
  useFocusOnTaken('chat', area);
  useLayoutEffect(() => {
    function show(): void {
      const { text } = messageIn(form);
      if (text === shown.current || area.current === null) return;
      shown.current = text;
      area.current.value = text;
    }
    show();
    return form.state.subscribe(show);
  }, [form]);
  return (
    <RawTextArea
      ref={area}
      data-run-control
      label="Message"
      placeholder="Write a message"
      defaultValue={initial}
      rows={3}
      autoFocus={focused}
      readOnly={!isLoaded}
      onInput={(event) => {
        shown.current = event.currentTarget.value;
        writeText(form, shown.current);
      }}
    />
  );
}

const ROLES: readonly Role[] = ['user', 'system', 'developer', 'assistant', 'tool'];

interface HeadFieldsProps {
  form: ComposerForm;
  openToolCallId: string | null;
}

/** Who says it. */
function HeadFields({ form, openToolCallId }: HeadFieldsProps) {
  const isLoaded = useIsLoaded(form);
  const role = useForm(form, ({ input }) => input.role);
  const name = useForm(form, ({ input }) => input.name);
  const toolCallId = useForm(form, ({ input }) => input.toolCallId);
  return (
    <>
      <Select
        label="Role"
        hideLabel
        className={styles.role}
        value={role}
        disabled={!isLoaded}
        options={ROLES.map((each) => ({ value: each, label: each }))}
        onValueChange={(value) =>
          writeHead(form, { role: ROLES.find((r) => r === value) ?? 'user' })
        }
      />
      {role === 'tool' ? (
        <TextField
          label="Tool call id"
          hideLabel
          className={styles.name}
          placeholder="tool_call_id"
          readOnly={!isLoaded}
          monospace
          value={toolCallId || (openToolCallId ?? '')}
          onValueChange={(value) => writeHead(form, { toolCallId: value })}
        />
      ) : (
        <TextField
          label="Name"
          hideLabel
          className={styles.name}
          placeholder="name (optional)"
          readOnly={!isLoaded}
          value={name}
          onValueChange={(value) => writeHead(form, { name: value })}
        />
      )}
    </>
  );
}
