import { Fragment, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import type { LiveTurn, QueuedMessage } from '../../../../shared/conversation.ts';
import { joinFieldName } from '../../../../shared/form-fields.ts';
import { api } from '../../../lib/api.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { changeWithUndo } from '../../../run/form/change-with-undo.ts';
import { useForm } from '../../../run/form/use-form.ts';
import { ActionBar } from '../../../ui/action-bar.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { CloseIcon, EditIcon } from '../../../ui/icons/actions.tsx';
import { useFocusPassing } from '../../../ui/pass-focus.ts';
import { showToast } from '../../../ui/show-toast.ts';
import { sendQueued } from '../conversation/chat-actions.ts';
import { useChat } from '../conversation/chat-store.ts';
import { type ComposerForm, getMessage, writeText } from '../conversation/composer-form.ts';
import { dropDraft, useEditDraft, useTextDraft } from '../conversation/edit-drafts.tsx';
import {
  getAttachments,
  getMessageText,
  getTextParts,
  toWrittenContent,
} from '../conversation/written-message.ts';
import { useChatSession, useChatState } from '../session/chat-session.ts';
import { RawTextArea } from './message-text.tsx';
import styles from './queued-messages.module.css';

/** Lists the messages that are sent when the answer ends, and those left from earlier answers. */
export function QueuedMessages() {
  const form = useChatState((chat) => chat.form);
  const activeRunId = useChatState((chat) => chat.activeRunId);
  const turns = useChatState(({ conversation }) => conversation?.turns ?? noTurns);
  const queue = useForm(form, (values) => values.queue);
  const entries = Object.entries(queue).sort(([, a], [, b]) => a.queuedAt - b.queuedAt);
  if (entries.length === 0) return null;
  const liveIds = turns.flatMap(({ id, problem }) => (problem === null ? [id] : []));
  const isWaiting = ([, { turnId }]: (typeof entries)[number]) =>
    turnId === activeRunId || liveIds.includes(turnId);
  const lists: [title: string, list: typeof entries][] = [
    ['Not sent yet', entries.filter((entry) => !isWaiting(entry))],
    ['Sent when the answer ends', entries.filter(isWaiting)],
  ];
  return (
    <section className={`stack-4 ${styles.queue}`} aria-label="Queued messages">
      {lists.map(
        ([title, list]) =>
          list.length > 0 && (
            <Fragment key={title}>
              <p role="status" className="caption">
                {title}
              </p>
              <ul className="stack-4">
                {list.map(([id, queued]) => (
                  <li key={id}>
                    <QueuedRow id={id} queued={queued} form={form} />
                  </li>
                ))}
              </ul>
            </Fragment>
          ),
      )}
    </section>
  );
}

const noTurns: readonly LiveTurn[] = [];

interface QueuedRowProps {
  id: string;
  queued: QueuedMessage;
  form: ComposerForm;
}

function QueuedRow({ id, queued, form }: QueuedRowProps) {
  const { state } = useChatSession();
  const running = useChatState((chat) => chat.running);
  const draft = useEditDraft(form, id);
  const [isOpen, setIsOpen] = useState(false);
  const sending = useChat((state) => state.sending);
  const row = useFocusPassing<HTMLDivElement>();
  const text = getMessageText(queued.message.content);
  if (isOpen || draft !== null) {
    return <QueuedEditor id={id} queued={queued} form={form} onClose={() => setIsOpen(false)} />;
  }
  function send(): void {
    const { conversationId, path } = state.getState();
    // The message follows the end of the shown branch.
    if (conversationId !== null) void sendQueued(conversationId, id, path.at(-1)?.id ?? null);
  }
  const remove = () => form.change({}, { unset: [joinFieldName('queue', id)] });
  return (
    <>
      <div ref={row} className={`row-8 ${styles.row}`} data-focus-fallback="edit">
        <span className={`truncate grow ${styles.text}`} dir="auto" title={text}>
          {text}
        </span>
        {!running && (
          <Button size="small" busy={sending} onClick={send}>
            Send now
          </Button>
        )}
        <IconButton
          size="small"
          label="Edit queued message"
          data-edit-control
          icon={<EditIcon size={14} />}
          onClick={() => setIsOpen(true)}
        />
        <IconButton
          size="small"
          label="Remove queued message"
          icon={<CloseIcon size={14} />}
          onClick={() =>
            changeWithUndo(form, remove, 'Queued message removed', {
              after: 'any change',
              severalWords: '# queued messages removed',
            })
          }
        />
      </div>
      {queued.problem !== null && <ErrorAlert compact error={queued.problem} />}
    </>
  );
}

interface QueuedEditorProps extends QueuedRowProps {
  onClose: () => void;
}

/** The message isn't sent while it has unsaved changes. */
function QueuedEditor({ id, queued, form, onClose }: QueuedEditorProps) {
  const conversationId = useChatState((chat) => chat.conversationId);
  const { content } = queued.message;
  const draft = useTextDraft(form, id, getTextParts(content));
  const root = useFocusPassing<HTMLDivElement>();
  const area = useRef<HTMLTextAreaElement>(null);
  const [initialLength] = useState(draft.text.length);
  useLayoutEffect(
    () => area.current?.setSelectionRange(initialLength, initialLength),
    [initialLength],
  );
  const attachments = getAttachments(content);
  const isEmpty = draft.text.trim() === '' && attachments.length === 0;

  async function end(isSaved: boolean): Promise<void> {
    if (isSaved && isEmpty) return;
    const { text } = draft;
    const message = isSaved
      ? { ...queued.message, content: toWrittenContent(text, attachments) }
      : null;
    dropDraft(form, id);
    onClose();
    if (conversationId === null) return;
    try {
      await api.conversations.editQueued({ conversationId, queuedId: id, message });
    } catch (cause) {
      // The earlier text has already been sent, so keep the new text in the message box.
      if (isSaved) writeText(form, [getMessage(form).text, text].filter(Boolean).join('\n\n'));
      showToast({ message: toAppError(cause).message, tone: 'danger' });
    }
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const saves = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (event.nativeEvent.isComposing || !(saves || event.key === 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) void end(saves);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key events come from the controls inside.
    <div
      ref={root}
      className={`stack-8 ${styles.row}`}
      data-focus-fallback="edit"
      onKeyDown={onKeyDown}
    >
      <RawTextArea
        key={draft.version}
        ref={area}
        label="Edit queued message"
        defaultValue={draft.text}
        maxRows={8}
        autoFocus
        onInput={(event) => draft.change(event.currentTarget.value)}
      />
      <ActionBar>
        <Button
          size="small"
          disabledReason={isEmpty ? 'Enter a message first.' : null}
          onClick={() => void end(true)}
        >
          Save
        </Button>
        <Button size="small" variant="quiet" onClick={() => void end(false)}>
          Cancel
        </Button>
      </ActionBar>
    </div>
  );
}
