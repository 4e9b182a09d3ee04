import { type ComponentProps, memo, type ReactNode } from 'react';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { usePreload } from '../../../lib/use-preload.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { lazyComponent } from '../../../ui/lazy-component.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import styles from '../chat-panel.module.css';
import { rememberPlace, useChat } from '../chat-store.ts';
import type { ComposerForm } from '../composer/composer-form.ts';
import type { Siblings } from './branch.ts';
import type { MessageHandlers } from './message-handlers.ts';

const loadBoth = () =>
  Promise.all([import('./message-log.tsx'), import('./message-surroundings.tsx')]);

const Messages = lazyComponent(
  async () => {
    const [{ MessageLog }, { MessageProviders }] = await loadBoth();
    return ({ expectsJson, ...log }: ComponentProps<typeof MessageLog> & AnswerFormat) => (
      <MessageProviders expectsJson={expectsJson}>
        <MessageLog {...log} />
      </MessageProviders>
    );
  },
  { waiting: Loading },
);

interface AnswerFormat {
  expectsJson: boolean;
}

interface ConversationLogProps {
  conversationId: string | null;
  form: ComposerForm;
  path: readonly TreeMessage[];
  siblings: ReadonlyMap<string, Siblings>;
  /** What answers say about their model. */
  notes: ReadonlyMap<string, string>;
  choices: readonly TreeMessage[];
  end: ReactNode;
  handlers: MessageHandlers;
  /** Whether it asks for JSON. */
  expectsJson: boolean;
  isLoading: boolean;
  /** Earlier messages are still on their way. */
  isPartial: boolean;
  error: AppError | null;
  /** Where there are no messages. */
  empty: ReactNode;
}

/** The messages, or an empty state or error in their place. Memoized: the log does not render while the user types. */
export const ConversationLog = memo(function ConversationLog(props: ConversationLogProps) {
  const { conversationId, form, path, siblings, notes, choices, end, handlers } = props;
  const { expectsJson, isLoading, isPartial, error, empty } = props;
  const editingId = useChat((state) => state.editingId);
  // Before the first message is sent.
  usePreload(loadBoth);
  if (isLoading) return <Loading />;
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
        {empty}
      </div>
    );
  }
  return (
    <Messages
      expectsJson={expectsJson}
      form={form}
      path={path}
      siblings={siblings}
      notes={notes}
      choices={choices}
      end={end}
      editingId={editingId}
      handlers={handlers}
      isPartial={isPartial}
      place={useChat.getState().places[conversationId] ?? null}
      onPlace={(place) => rememberPlace(conversationId, place)}
    />
  );
});

function Loading() {
  return (
    <div className={styles.center}>
      <Spinner label="Loading conversation" />
    </div>
  );
}
