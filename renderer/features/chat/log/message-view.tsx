import { memo } from 'react';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import type { Role } from '../../../../shared/operations/chat/message.ts';
import { isFinished } from '../../../../shared/run.ts';
import { useRoute } from '../../../lib/route.ts';
import { getTextTargets } from '../../../media/hand-over/send-to.tsx';
import { useLiveRuns } from '../../../run/live/live-runs.ts';
import { Chip } from '../../../ui/chip.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import {
  BranchIcon,
  EditIcon,
  InspectIcon,
  RetryIcon,
  SourceIcon,
  TrashIcon,
} from '../../../ui/icons/actions.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../../ui/icons/status.tsx';
import { Menu, type MenuEntry } from '../../../ui/menu.tsx';
import type { Siblings } from '../conversation/branch.ts';
import { toggleSource, useChat } from '../conversation/chat-store.ts';
import type { ComposerForm } from '../conversation/composer-form.ts';
import { useHasDraft } from '../conversation/edit-drafts.tsx';
import { CallRecordView } from '../options/call-record.tsx';
import { getSavedAnswer, readMessageText, ShowsSourceContext } from './answer/answer.ts';
import { AnswerBody, AnswerText, ImportedAnswer } from './answer/answer-body.tsx';
import { ChoiceColumns } from './answer/choice-columns.tsx';
import styles from './answer/message.module.css';
import { MessageParts } from './answer/message-parts.tsx';
import { type ShownStep, StepContext, StepLines } from './answer/step-lines.tsx';
import { ToolResult } from './answer/tool-calls.tsx';
import { MessageEditor } from './message-editor.tsx';
import type { MessageHandlers } from './message-handlers.ts';

interface MessageViewProps {
  message: TreeMessage;
  form: ComposerForm;
  siblings: Siblings;
  note: string | null;
  /** The tool whose result the message is; null if it isn't known. */
  tool: string | null;
  /** The finished tool calls of the answer; null if they don't fold. */
  step: ShownStep | null;
  /** True for the last message of the log, whose actions stay visible. */
  isLast: boolean;
  /** The run's answers to show side by side; empty if there is only one. */
  choices: readonly TreeMessage[];
  editing: boolean;
  handlers: MessageHandlers;
}

export const MessageView = memo(function MessageView(props: MessageViewProps) {
  const { message, form, siblings, note, tool, choices, editing, handlers } = props;
  const { step, isLast } = props;
  const bareStep = step?.isBare === true && !editing ? step : null;
  const hasDraft = useHasDraft(form, message.id);
  const showsSource = useChat(({ sources }) => sources.includes(message.id));
  const { changes } = handlers;
  return (
    <article
      className={`stack-8 ${styles.message}`}
      data-message={message.id}
      data-role={message.role}
      data-last={isLast || undefined}
      data-wide={choices.length > 0}
      aria-label={message.role}
    >
      <header className={`wrap-8 caption ${styles.header}`}>
        {bareStep === null ? (
          <span className={styles.role}>{roleLabels[message.role]}</span>
        ) : (
          <StepLines step={bareStep} />
        )}
        {message.name !== null && (
          <span className={`truncate mono ${styles.name}`}>{message.name}</span>
        )}
        {tool !== null && <code className={`truncate ${styles.tool}`}>{tool}</code>}
        {message.toolCallId !== null && (
          <span className={`truncate mono ${styles.name}`}>for {message.toolCallId}</span>
        )}
        {note !== null && <span className="truncate">{note}</span>}
        {siblings.ids.length > 1 && changes !== null && (
          <BranchSwitch siblings={siblings} onSwitch={changes.onSwitch} />
        )}
        {!editing && hasDraft && changes !== null && (
          <Chip onClick={() => changes.onEdit(message)}>Unsaved changes</Chip>
        )}
        {!editing && (
          <MessageActions message={message} showsSource={showsSource} handlers={handlers} />
        )}
      </header>
      {editing && changes !== null ? (
        <MessageEditor
          message={message}
          form={form}
          canRun={message.role !== 'assistant'}
          onSave={(written, run) => changes.onEdited(message, written, run)}
          onCancel={changes.onCancelEdit}
        />
      ) : (
        bareStep?.isOpen !== false && (
          <ShowsSourceContext value={showsSource}>
            <StepContext value={bareStep === null ? step : null}>
              <MessageBody message={message} choices={choices} handlers={handlers} />
            </StepContext>
          </ShowsSourceContext>
        )
      )}
    </article>
  );
});

const roleLabels: Readonly<Record<Role, string>> = {
  system: 'System',
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool',
  developer: 'Developer',
};

type MessageBodyProps = Pick<MessageViewProps, 'message' | 'choices' | 'handlers'>;

function MessageBody({ message, choices, handlers }: MessageBodyProps) {
  if (message.role === 'assistant') {
    if (message.run === null) {
      return message.importedRun === null ? (
        <AnswerText answer={getSavedAnswer(message)} running={false} />
      ) : (
        <ImportedAnswer message={message} run={message.importedRun} />
      );
    }
    const onRetry = handlers.canRetry(message) ? () => handlers.onRetry(message) : undefined;
    if (choices.length > 0 && handlers.onPick !== null) {
      return (
        <ChoiceColumns
          key={message.run.id}
          choices={choices}
          run={message.run}
          picked={message}
          onPick={handlers.onPick}
          onRetry={onRetry}
        />
      );
    }
    return (
      <AnswerBody
        // A new run at the same position needs a new component instance.
        key={message.run.id}
        message={message}
        run={message.run}
        onRetry={onRetry}
        onContinue={handlers.onContinue}
      />
    );
  }
  return (
    <div className={styles.text} data-message-text>
      {message.callRecord !== null && <CallRecordView record={message.callRecord} />}
      {message.role === 'tool' && typeof message.content === 'string' ? (
        <ToolResult text={message.content} />
      ) : (
        <MessageParts content={message.content} />
      )}
    </div>
  );
}

interface BranchSwitchProps {
  siblings: Siblings;
  onSwitch: (siblingId: string) => void;
}

/** Switches between versions of the message: ‹ 2/3 ›. */
function BranchSwitch({ siblings, onSwitch }: BranchSwitchProps) {
  const { ids, position } = siblings;
  const previous = ids[position - 1];
  const next = ids[position + 1];
  return (
    <span className={styles.branchSwitch}>
      <IconButton
        size="small"
        label="Previous version"
        icon={<ChevronLeftIcon size={14} />}
        disabled={previous === undefined}
        onClick={() => previous !== undefined && onSwitch(previous)}
      />
      <span>
        <span className="visually-hidden">Version </span>
        {position + 1}/{ids.length}
      </span>
      <IconButton
        size="small"
        label="Next version"
        icon={<ChevronRightIcon size={14} />}
        disabled={next === undefined}
        onClick={() => next !== undefined && onSwitch(next)}
      />
    </span>
  );
}

interface MessageActionsProps extends Omit<MessageBodyProps, 'choices'> {
  showsSource: boolean;
}

function MessageActions({ message, showsSource, handlers }: MessageActionsProps) {
  const { run } = message;
  const { changes, onInspect } = handlers;
  const { panel } = useRoute();
  const status = useLiveRuns(({ views }) =>
    run === null ? (message.importedRun?.status ?? null) : (views[run.id]?.status ?? run.status),
  );
  const running = status !== null && !isFinished(status);
  // If the answer failed, Retry is next to the error instead.
  const retryable = status === 'succeeded' || status === 'cancelled';
  const canChange = !running && changes !== null;
  const isAnswer = message.role === 'assistant';
  const items: MenuEntry[] = [
    ...(isAnswer
      ? [
          {
            id: 'source',
            label: showsSource ? 'Hide source' : 'Show source',
            icon: <SourceIcon size={14} />,
            onSelect: () => toggleSource(message.id),
          },
        ]
      : []),
    ...(run !== null && !running && isAnswer
      ? getTextTargets(panel, run.id, () => readMessageText(message))
      : []),
    ...(canChange
      ? [
          {
            id: 'branch',
            label: 'Branch from here',
            icon: <BranchIcon size={14} />,
            onSelect: () => changes.onBranch(message),
          },
        ]
      : []),
    ...(run !== null && onInspect !== null
      ? [
          {
            id: 'inspect',
            label: 'Inspect',
            icon: <InspectIcon size={14} />,
            onSelect: () => onInspect(message),
          },
        ]
      : []),
    ...(changes === null
      ? []
      : [
          {
            id: 'delete',
            label: 'Delete',
            icon: <TrashIcon size={14} />,
            danger: true,
            onSelect: () => changes.onDelete(message),
          },
        ]),
  ];
  return (
    <span className={styles.actions} data-focus-fallback="undo">
      <CopyButton label="Copy" content={() => readMessageText(message)} />
      {retryable && isAnswer && handlers.canRetry(message) && (
        <IconButton
          size="small"
          label="Retry"
          data-focus-fallback="run"
          icon={<RetryIcon size={14} />}
          onClick={() => handlers.onRetry(message)}
        />
      )}
      {canChange && (
        <IconButton
          size="small"
          label="Edit"
          data-edit-control
          icon={<EditIcon size={14} />}
          onClick={() => changes.onEdit(message)}
        />
      )}
      {items.length > 0 && <Menu label="More actions" size="small" items={items} />}
    </span>
  );
}
