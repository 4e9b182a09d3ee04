import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import type { TreeMessage, WrittenMessage } from '../../../../shared/conversation.ts';
import { isSameJson } from '../../../../shared/json.ts';
import type { ContentPart } from '../../../../shared/operations/chat/message.ts';
import type { MessageDetails } from '../../../../shared/operations/chat/request.ts';
import { useIsLoaded } from '../../../run/form/use-form.ts';
import { Button } from '../../../ui/button.tsx';
import { useFocusPassing } from '../../../ui/pass-focus.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { AssistantFields } from '../composer/assistant-fields.tsx';
import { RawTextArea } from '../composer/message-text.tsx';
import { PartChips } from '../composer/part-chips.tsx';
import type { ComposerForm } from '../conversation/composer-form.ts';
import {
  DraftNote,
  discardDraft,
  dropDraft,
  getDraftUndoKey,
  keepDraft,
  useEditDraft,
} from '../conversation/edit-drafts.tsx';
import {
  getAttachments,
  getDetails,
  getDetailsProblem,
  getTextParts,
  toWrittenContent,
  toWrittenDetails,
} from '../conversation/written-message.ts';
import styles from './answer/message.module.css';

interface MessageEditorProps {
  message: TreeMessage;
  /** The conversation's form, which stores unsaved changes. */
  form: ComposerForm;
  canRun: boolean;
  /** Closes the editor; called after a successful save. */
  onSave: (written: WrittenMessage, run: boolean) => Promise<void>;
  onCancel: () => void;
}

/** Saves a new version of the message on its own branch. Closing keeps unsaved changes. */
export function MessageEditor({ message, form, canRun, onSave, onCancel }: MessageEditorProps) {
  const { id, role, content } = message;
  const root = useFocusPassing<HTMLDivElement>();
  const area = useRef<HTMLTextAreaElement>(null);
  const isLoaded = useIsLoaded(form);
  const draft = useEditDraft(form, id);
  const [isOwn, setIsOwn] = useState(false);
  const original = getTextParts(content);
  const text = draft?.text ?? original;
  const attachments = draft?.parts ?? getAttachments(content);
  const details = draft?.details ?? getDetails(message);
  const problem = getDetailsProblem(role, details);
  const [showsMissing, setShowsMissing] = useState(false);
  const [initial] = useState(text);
  const shown = useRef(initial);
  // The text area is uncontrolled, so write only changes that the user didn't type in it.
  useLayoutEffect(() => {
    if (text === shown.current || area.current === null) return;
    shown.current = text;
    area.current.value = text;
  }, [text]);
  useLayoutEffect(() => area.current?.setSelectionRange(initial.length, initial.length), [initial]);
  const keep = (changed: { parts?: ContentPart[]; details?: MessageDetails } = {}) => {
    if (draft === null) setIsOwn(true);
    const { parts, details: changedDetails } = { parts: attachments, details, ...changed };
    const hasNewDetails = !isSameJson(changedDetails, getDetails(message));
    const isChanged =
      hasNewDetails || shown.current !== original || !isSameJson(parts, getAttachments(content));
    if (!isChanged) dropDraft(form, id);
    else
      keepDraft(form, id, {
        text: shown.current,
        parts,
        ...(hasNewDetails && { details: changedDetails }),
      });
  };
  const change = (change: Partial<MessageDetails>) => keep({ details: { ...details, ...change } });
  const discard = () => {
    discardDraft(form, id);
    setIsOwn(false);
    area.current?.focus();
  };
  // The editor is read-only while saving, because the draft is deleted afterward.
  const [isSaving, setIsSaving] = useState(false);
  const readOnly = !isLoaded || isSaving;
  const save = async (run: boolean) => {
    if (isSaving) return;
    setShowsMissing(problem !== null);
    if (problem !== null) return;
    setIsSaving(true);
    const written = {
      role,
      content: toWrittenContent(shown.current, attachments),
      ...toWrittenDetails(role, details),
    };
    await onSave(written, run).finally(() => setIsSaving(false));
  };
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    // React also bubbles key events from menus and popovers that are elsewhere in the DOM.
    if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return;
    const isRun = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (event.nativeEvent.isComposing || !(isRun || event.key === 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    if (isRun) void save(canRun);
    else onCancel();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key events come from the controls inside.
    <div ref={root} className="stack-8" data-focus-fallback="edit" onKeyDown={onKeyDown}>
      <DraftNote
        undoKey={getDraftUndoKey(form, id)}
        restored={draft !== null && !isOwn}
        onDiscard={discard}
      />
      <RawTextArea
        ref={area}
        label="Edit message"
        defaultValue={initial}
        maxRows={16}
        autoFocus
        readOnly={readOnly}
        onInput={(event) => {
          shown.current = event.currentTarget.value;
          keep();
        }}
      />
      <PartChips
        parts={attachments}
        onChange={(parts) => keep({ parts })}
        onRemove={(index) => keep({ parts: attachments.toSpliced(index, 1) })}
      />
      {role === 'assistant' && (
        <AssistantFields
          value={details}
          showsMissing={showsMissing}
          readOnly={readOnly}
          onChange={change}
        />
      )}
      <div className={styles.editorHead}>
        {role === 'tool' && (
          <TextField
            label="Tool call ID"
            monospace
            readOnly={readOnly}
            value={details.toolCallId}
            onValueChange={(toolCallId) => change({ toolCallId })}
          />
        )}
        <TextField
          label="Name"
          placeholder="Optional"
          readOnly={readOnly}
          value={details.name}
          onValueChange={(name) => change({ name })}
        />
      </div>
      {showsMissing && problem !== null && (
        <p role="alert" className={styles.missing}>
          {problem}
        </p>
      )}
      <div className="row-8">
        {canRun && (
          <Button
            variant="primary"
            size="small"
            data-focus-fallback="run"
            onClick={() => void save(true)}
          >
            Save and run
          </Button>
        )}
        <Button size="small" onClick={() => void save(false)}>
          Save
        </Button>
        <Button size="small" variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
