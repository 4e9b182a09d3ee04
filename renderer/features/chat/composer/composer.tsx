import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import { useConnections } from '../../../lib/connections.ts';
import { useSettings } from '../../../lib/settings.ts';
import { panelShortcuts } from '../../../lib/shortcut.ts';
import { MicrophoneSettings, RecorderControls } from '../../../media/capture/recorder-controls.tsx';
import { useFocusOnReceived } from '../../../media/hand-over/hand-over.ts';
import { DropZone, UploadList } from '../../../media/uploads/upload-controls.tsx';
import { FormProblem } from '../../../run/form/form-problem.tsx';
import { describeMissingConnection } from '../../../run/form/resolve-form.ts';
import { showRunBlock } from '../../../run/form/run-block.ts';
import { chooseConnection, useFormConnection } from '../../../run/form/use-connection.ts';
import { useForm } from '../../../run/form/use-form.ts';
import { RunButton } from '../../../run/frame/run-button.tsx';
import { PastedOffer, usePastedRequest } from '../../../run/paste/pasted-offer.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { ChevronDownIcon } from '../../../ui/icons/status.tsx';
import { Kbd } from '../../../ui/kbd.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { Waiting } from '../../../ui/spinner.tsx';
import { UndoBars } from '../../../ui/undo-bars.tsx';
import { setComposerBusy } from '../conversation/chat-store.ts';
import {
  addText,
  type ComposerForm,
  getMessage,
  isEmpty,
  removePart,
  setParts,
  writeText,
} from '../conversation/composer-form.ts';
import { useChatSession, useChatState } from '../session/chat-session.ts';
import { findOpenToolCallId } from '../session/open-tool-calls.ts';
import { OtherRecordingNotice, useAttachments } from './attachments.tsx';
import styles from './composer.module.css';
import { HeadChips, OptionChips, ParameterChips } from './composer-chips.tsx';
import { ComposerMenu } from './composer-menu.tsx';
import { ContextGauge } from './context-gauge.tsx';
import { HeadFields, WrittenAnswer } from './message-head.tsx';
import { MessageText } from './message-text.tsx';
import { PartChips } from './part-chips.tsx';
import { QueuedMessages } from './queued-messages.tsx';
import { useRunButton } from './use-run-button.ts';

/** Labels of the popovers that the menu opens. */
const openedLabels = { head: 'Role and name', microphone: 'Microphone settings' };

export function Composer() {
  const { add } = useChatSession();
  const form = useChatState((chat) => chat.form);
  const isNew = useChatState((chat) => chat.conversationId === null);
  const canQueue = useChatState((chat) => chat.queuesAfter !== null);
  const compares = useChatState((chat) => chat.compare.isOn);
  const addReason = useChatState((chat) => chat.addReason);
  const openToolCallId = useChatState(({ path }) => findOpenToolCallId(path));
  const run = useRunButton();
  /** Queues the message while an answer streams; null if nothing can be queued. */
  const onQueue = canQueue ? run.onRun : null;
  const area = useRef<HTMLTextAreaElement>(null);
  const [recording, setRecording] = useState(false);
  const plus = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<keyof typeof openedLabels | null>(null);
  const runShortcut = useSettings().enterSends ? 'Enter' : panelShortcuts.run.shortcut;
  const attachments = useAttachments(form);
  const { parts, uploads, converting } = attachments;
  const isMessageEmpty = useForm(form, ({ input }) => isEmpty(input));
  const { takePaste, ...pasted } = usePastedRequest({
    insert: (text) => insertText(form, area.current, text),
    keep: (text) => addText(form, text),
    focus: () => area.current?.focus({ preventScroll: true }),
  });
  useFocusOnReceived('chat', area);
  const isBusy = attachments.busy || recording;

  // Use a layout effect: it runs before paint, so Run can't send while an attachment is pending.
  useLayoutEffect(() => setComposerBusy(isBusy), [isBusy]);

  function enter() {
    if (run.busy) return;
    const send = run.running ? onQueue : run.onRun;
    if (run.disabledReason === null && send !== null) send();
    else showRunBlock();
  }

  /** Lets the user type the next message after pressing Queue, Send or Stop. */
  function focusAfter(act: (() => void) | undefined) {
    act?.();
    area.current?.focus({ preventScroll: true });
  }

  return (
    <DropZone uploads={uploads} label="Drop files to attach" className={styles.composer}>
      {!isNew && <QueuedMessages />}
      <div className={styles.chips}>
        <OptionChips />
        <ParameterChips />
        <HeadChips form={form} onOpen={() => setOpened('head')} />
      </div>
      <div className={`stack-8 ${styles.box}`}>
        {parts.length > 0 && (
          <PartChips
            parts={parts}
            onChange={(next) => setParts(form, next)}
            onRemove={(index) => removePart(form, index)}
          />
        )}
        <UndoBars place={form.id} />
        <UploadList uploads={uploads} />
        {converting > 0 && <Waiting>Converting to 16-bit mono WAV…</Waiting>}
        {attachments.problem !== null && (
          <ErrorAlert compact error={attachments.problem} onDismiss={attachments.dismissProblem} />
        )}
        <FormProblem form={form} />
        <MissingConnectionNotice form={form} returnTo={area} />
        <WrittenAnswer form={form} />
        <PastedOffer {...pasted} />
        <div className={styles.line}>
          <MessageText
            area={area}
            form={form}
            focused={isNew}
            onEnter={enter}
            onPaste={(event) => {
              if (isEmpty(getMessage(form)) && !event.currentTarget.readOnly) takePaste(event);
            }}
          />
          <div className={`wrap-4 fixed ${styles.tools}`}>
            {!compares && <ContextGauge />}
            <ComposerMenu
              form={form}
              uploads={uploads}
              onMedia={attachments.addMedia}
              onHead={() => setOpened('head')}
              addReason={isBusy ? 'Wait for attachments to finish uploading.' : addReason}
              onAdd={() => void add()}
              canSetMicrophone={!recording}
              onMicrophone={() => setOpened('microphone')}
              trigger={plus}
            />
            {opened !== null && (
              <Popover
                open
                anchor={plus}
                label={openedLabels[opened]}
                onOpenChange={() => setOpened(null)}
                finalFocus={area}
              >
                {opened === 'head' ? (
                  <HeadFields form={form} openToolCallId={openToolCallId} />
                ) : (
                  <MicrophoneSettings />
                )}
              </Popover>
            )}
            <RecorderControls
              panel="chat"
              compact
              target={form.id}
              elsewhere={(formId) => <OtherRecordingNotice formId={formId} />}
              onRecorded={attachments.addRecording}
              onBusyChange={setRecording}
            />
            {onQueue !== null && !isMessageEmpty && (
              <Button
                data-run-control
                shortcut={runShortcut}
                disabledReason={run.disabledReason}
                onBlocked={showRunBlock}
                onClick={() => focusAfter(onQueue)}
              >
                Queue
              </Button>
            )}
            <span className={styles.hint}>
              <Kbd shortcut={run.running ? panelShortcuts.stop.shortcut : runShortcut} />
            </span>
            <RunButton
              {...run}
              onRun={() => focusAfter(run.onRun)}
              onStop={() => focusAfter(run.onStop)}
            />
          </div>
        </div>
      </div>
    </DropZone>
  );
}

/** Keeps the browser's own undo, which setting the value would clear. */
function insertText(form: ComposerForm, area: HTMLTextAreaElement | null, text: string): void {
  area?.focus({ preventScroll: true });
  if (!document.execCommand('insertText', false, text)) writeText(form, text);
}

interface MissingConnectionProps {
  form: ComposerForm;
  returnTo: RefObject<HTMLElement | null>;
}

/** Offers other connections when the conversation's connection has been deleted. */
function MissingConnectionNotice({ form, returnTo }: MissingConnectionProps) {
  const { connections } = useConnections();
  const { isGone } = useFormConnection(form);
  if (!isGone) return null;
  const problem: AppError = {
    kind: 'not-found',
    message: describeMissingConnection(form),
    nextStep: '',
    gateway: null,
    detail: null,
  };
  const items = connections.map(({ id, name }) => ({
    id,
    label: name,
    onSelect: () => chooseConnection(form, id),
  }));
  return (
    <ErrorAlert
      compact
      error={problem}
      actions={
        <Menu
          label="Choose a connection"
          size="small"
          align="start"
          finalFocus={returnTo}
          trigger={
            <>
              Choose a connection <ChevronDownIcon size={12} />
            </>
          }
          items={items}
        />
      }
    />
  );
}
