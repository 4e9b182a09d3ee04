import { memo, type ReactNode } from 'react';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { PlayIcon } from '../../../ui/icons/actions.tsx';
import { ChatIcon } from '../../../ui/icons/panels.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { type ReadyRequest, sendMessage } from '../chat-actions.ts';
import styles from '../chat-panel.module.css';
import { rememberPlace, useChat } from '../chat-store.ts';
import type { Siblings } from './branch.ts';
import type { MessageHandlers } from './message-handlers.ts';
import { MessageLog } from './message-log.tsx';

const EXAMPLE = 'Tell me a short story about a lighthouse, with a list and a table.';

interface ConversationLogProps {
  conversationId: string | null;
  path: readonly TreeMessage[];
  siblings: ReadonlyMap<string, Siblings>;
  choices: readonly TreeMessage[];
  end: ReactNode;
  handlers: MessageHandlers;
  isLoading: boolean;
  error: AppError | null;
  /** For the example; null while it could not run. */
  ready: ReadyRequest | null;
}

/** The messages, or what stands in their place. Memoised: while the user types, the log stays as it is. */
export const ConversationLog = memo(function ConversationLog(props: ConversationLogProps) {
  const { conversationId, path, siblings, choices, end, handlers, isLoading, error, ready } = props;
  const editingId = useChat((state) => state.editingId);
  if (isLoading) {
    return (
      <div className={styles.center}>
        <Spinner label="Loading the conversation" />
      </div>
    );
  }
  if (error !== null) {
    return (
      <div className={styles.center}>
        <ErrorAlert error={error} />
      </div>
    );
  }
  if (conversationId === null || path.length === 0) {
    return (
      <div className={styles.center} role="log" aria-label="Conversation" aria-live="off">
        <EmptyState
          icon={<ChatIcon size={24} />}
          title="Nothing has been said yet"
          action={
            <Button
              icon={<PlayIcon size={14} />}
              disabledReason={ready === null ? 'Choose a connection and a model first.' : null}
              onClick={() => {
                if (ready !== null) {
                  void sendMessage(ready, null, { role: 'user', content: EXAMPLE });
                }
              }}
            >
              Run an example
            </Button>
          }
        >
          Write a message below and press Run, or begin with “{EXAMPLE}”
        </EmptyState>
      </div>
    );
  }
  return (
    <MessageLog
      path={path}
      siblings={siblings}
      choices={choices}
      end={end}
      editingId={editingId}
      handlers={handlers}
      place={useChat.getState().places[conversationId] ?? null}
      onPlace={(place) => rememberPlace(conversationId, place)}
    />
  );
});
