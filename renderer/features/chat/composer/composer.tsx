import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useSettings } from '../../../lib/settings.ts';
import { panelShortcuts } from '../../../lib/shortcut.ts';
import { usePreload } from '../../../lib/use-preload.ts';
import { RecorderControls } from '../../../media/capture/recorder-controls.tsx';
import { useFocusOnReceived } from '../../../media/hand-over/hand-over.ts';
import { AttachButton } from '../../../media/uploads/attach-button.tsx';
import { DropZone } from '../../../media/uploads/drop-zone.tsx';
import { anything } from '../../../media/uploads/media-filter.ts';
import { UploadList } from '../../../media/uploads/upload-list.tsx';
import { FormProblem } from '../../../run/form/form-problem.tsx';
import { showRunBlock } from '../../../run/frame/run-block.ts';
import { RunButton, type RunButtonProps } from '../../../run/frame/run-button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { Kbd } from '../../../ui/kbd.tsx';
import { lazyComponent } from '../../../ui/lazy-component.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { UndoBars } from '../../../ui/undo-bars.tsx';
import { AddPart } from './add-part.tsx';
import styles from './composer.module.css';
import { addPart, type ComposerForm, removePart, setParts } from './composer-form.ts';
import { HeadChips, MoreOptions, WrittenAnswer } from './message-head.tsx';
import { MessageText } from './message-text.tsx';
import { MissingConnectionNotice } from './missing-connection.tsx';
import { OtherRecordingNotice } from './other-recording.tsx';
import { useAttachments } from './use-attachments.ts';

const loadPartChips = () => import('./part-chips.tsx');
const PartChips = lazyComponent(async () => (await loadPartChips()).PartChips);

interface ComposerProps {
  form: ComposerForm;
  /** The tool call that waits for its result, offered for the role `tool`. */
  openToolCallId: string | null;
  focused: boolean;
  /** Why what is written cannot be added without a run; null if it can. */
  addReason: string | null;
  run: RunButtonProps;
  /** What is sent along that a new conversation would not send. */
  chips: ReactNode;
  /** Files and recordings that are still on their way. */
  onBusyChange: (isBusy: boolean) => void;
  onAdd: () => void;
}

/** Where a message is written: one row that grows, with its tools and Run in it. */
export function Composer(props: ComposerProps) {
  const { form, openToolCallId, focused, addReason, run, chips, onBusyChange, onAdd } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const [recording, setRecording] = useState(false);
  const [moreOpen, setMoreOpen] = useState(false);
  const { enterSends } = useSettings();
  const attachments = useAttachments(form);
  const { parts, uploads, converting } = attachments;
  useFocusOnReceived('chat', area);
  usePreload(loadPartChips);
  const isBusy = attachments.busy || recording;

  // Before the frame is drawn: Run must not send without what is on its way.
  useLayoutEffect(() => onBusyChange(isBusy), [isBusy, onBusyChange]);

  function enter() {
    if (run.busy) return;
    if (run.disabledReason === null && !run.running) run.onRun();
    else showRunBlock();
  }

  /** The next message is written while this one ends. */
  function stop() {
    run.onStop?.();
    area.current?.focus({ preventScroll: true });
  }

  return (
    <DropZone uploads={uploads} label="Drop files to attach" className={styles.composer}>
      <div className={styles.chips}>
        {chips}
        <HeadChips form={form} onOpen={() => setMoreOpen(true)} />
      </div>
      <div className={styles.box}>
        {parts.length > 0 && (
          <PartChips
            parts={parts}
            onChange={(next) => setParts(form, next)}
            onRemove={(index) => removePart(form, index)}
          />
        )}
        <UndoBars place={form.id} />
        <UploadList uploads={uploads} />
        {converting > 0 && (
          <p className={styles.converting}>
            <Spinner /> Converting to 16-bit mono WAV…
          </p>
        )}
        {attachments.problem !== null && (
          <ErrorAlert compact error={attachments.problem} onDismiss={attachments.dismissProblem} />
        )}
        <FormProblem form={form} />
        <MissingConnectionNotice form={form} returnTo={area} />
        <WrittenAnswer form={form} />
        <div className={styles.line}>
          <MessageText area={area} form={form} focused={focused} onEnter={enter} />
          <div className={styles.tools}>
            <AttachButton uploads={uploads} filter={anything} compact />
            <RecorderControls
              panel="chat"
              compact
              target={form.id}
              elsewhere={(formId) => <OtherRecordingNotice formId={formId} />}
              onRecorded={attachments.addRecording}
              onBusyChange={setRecording}
            />
            <AddPart onPart={(part) => addPart(form, part)} onMedia={attachments.addMedia} />
            <MoreOptions
              form={form}
              openToolCallId={openToolCallId}
              open={moreOpen}
              onOpenChange={setMoreOpen}
              addReason={isBusy ? 'Wait for attachments to finish uploading.' : addReason}
              onAdd={onAdd}
              returnTo={area}
            />
            <span className={styles.hint}>
              <Kbd
                shortcut={
                  run.running
                    ? panelShortcuts.stop.shortcut
                    : enterSends
                      ? 'Enter'
                      : panelShortcuts.run.shortcut
                }
              />
            </span>
            <RunButton {...run} onStop={stop} />
          </div>
        </div>
      </div>
    </DropZone>
  );
}
