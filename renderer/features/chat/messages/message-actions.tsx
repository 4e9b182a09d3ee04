import type { TreeMessage } from '../../../../shared/conversation.ts';
import { isFinished } from '../../../../shared/run.ts';
import { SendTextButton } from '../../../media/hand-over/send-to.tsx';
import { useLiveRuns } from '../../../run/live/live-runs.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { EditIcon, InspectIcon, RetryIcon, TrashIcon } from '../../../ui/icons/actions.tsx';
import { liveAnswer, messageText } from '../answer/answer.ts';
import styles from './message.module.css';
import type { MessageHandlers } from './message-handlers.ts';

interface MessageActionsProps {
  message: TreeMessage;
  handlers: MessageHandlers;
}

export function MessageActions({ message, handlers }: MessageActionsProps) {
  const { run } = message;
  const { changes, onInspect } = handlers;
  const status = useLiveRuns(({ views }) =>
    run === null ? null : (views[run.id]?.status ?? run.status),
  );
  const running = status !== null && !isFinished(status);
  // Where the answer failed, Retry is beside the error.
  const retryable = status === 'succeeded' || status === 'cancelled';
  return (
    <span className={styles.actions}>
      <CopyButton label="Copy" content={() => textToCopy(message)} />
      {run !== null && !running && message.role === 'assistant' && (
        <SendTextButton label="Send to" text={() => textToCopy(message)} runId={run.id} />
      )}
      {retryable && message.role === 'assistant' && handlers.canRetry(message) && (
        <IconButton
          size="small"
          label="Retry"
          data-focus-fallback="run"
          icon={<RetryIcon size={14} />}
          onClick={() => handlers.onRetry(message)}
        />
      )}
      {!running && changes !== null && (
        <IconButton
          size="small"
          label="Edit"
          icon={<EditIcon size={14} />}
          onClick={() => changes.onEdit(message)}
        />
      )}
      {changes !== null && (
        <IconButton
          size="small"
          label="Delete"
          data-focus-fallback="undo"
          icon={<TrashIcon size={14} />}
          onClick={() => changes.onDelete(message)}
        />
      )}
      {run !== null && onInspect !== null && (
        <IconButton
          size="small"
          label="Inspect"
          icon={<InspectIcon size={14} />}
          onClick={() => onInspect(message)}
        />
      )}
    </span>
  );
}

/** The newest text: while an answer streams, its run is ahead of the conversation. */
function textToCopy({ content, run, choiceIndex }: TreeMessage): string {
  const settled = messageText(content);
  const view = run === null ? undefined : useLiveRuns.getState().views[run.id];
  return settled === '' && view?.operation === 'chat'
    ? liveAnswer(view.state, choiceIndex ?? 0).content
    : settled;
}
