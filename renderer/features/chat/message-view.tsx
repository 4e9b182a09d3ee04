import { memo } from 'react';
import type { TreeMessage } from '../../../shared/conversation.ts';
import type { Role } from '../../../shared/operations/message.ts';
import { settledAnswer } from './answer.ts';
import { AnswerBody, AnswerText } from './answer-body.tsx';
import type { Siblings } from './branch.ts';
import { BranchSwitch } from './branch-switch.tsx';
import styles from './message.module.css';
import { MessageActions } from './message-actions.tsx';
import { MessageEditor } from './message-editor.tsx';
import type { MessageHandlers } from './message-handlers.ts';
import { messageText } from './message-text.ts';
import { PlainText } from './plain-text.tsx';
import { ToolResult } from './tool-result.tsx';

interface MessageViewProps {
  message: TreeMessage;
  siblings: Siblings;
  editing: boolean;
  handlers: MessageHandlers;
}

export const MessageView = memo(function MessageView(props: MessageViewProps) {
  const { message, siblings, editing, handlers } = props;
  return (
    <article className={styles.message} data-role={message.role} aria-label={message.role}>
      <header className={styles.header}>
        <span className={styles.role}>{roleWords[message.role]}</span>
        {message.name !== null && <span className={styles.name}>{message.name}</span>}
        {message.toolCallId !== null && (
          <span className={styles.name}>for {message.toolCallId}</span>
        )}
        {siblings.ids.length > 1 && (
          <BranchSwitch siblings={siblings} onSwitch={handlers.onSwitch} />
        )}
        {!editing && <MessageActions message={message} handlers={handlers} />}
      </header>
      {editing ? (
        <MessageEditor
          text={messageText(message.content)}
          canRun={message.role !== 'assistant'}
          onSave={(text, run) => handlers.onEdited(message, text, run)}
          onCancel={handlers.onCancelEdit}
        />
      ) : (
        <MessageBody message={message} handlers={handlers} />
      )}
    </article>
  );
});

const roleWords: Readonly<Record<Role, string>> = {
  system: 'System',
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool',
  developer: 'Developer',
};

interface MessageBodyProps {
  message: TreeMessage;
  handlers: MessageHandlers;
}

function MessageBody({ message, handlers }: MessageBodyProps) {
  if (message.role === 'assistant') {
    if (message.run === null) return <AnswerText answer={settledAnswer(message)} running={false} />;
    return (
      <AnswerBody
        // Another run is another answer, also where it came to stand in the same place.
        key={message.run.id}
        message={message}
        run={message.run}
        onRetry={() => handlers.onRetry(message)}
      />
    );
  }
  const text = messageText(message.content);
  return message.role === 'tool' ? <ToolResult text={text} /> : <PlainText text={text} />;
}
