import { memo } from 'react';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import type { Role } from '../../../../shared/operations/chat/message.ts';
import { settledAnswer } from '../answer/answer.ts';
import { AnswerBody, AnswerText } from '../answer/answer-body.tsx';
import { ChoiceColumns } from '../answer/choice-columns.tsx';
import { ToolResult } from '../answer/tool-result.tsx';
import type { Siblings } from './branch.ts';
import { BranchSwitch } from './branch-switch.tsx';
import styles from './message.module.css';
import { MessageActions } from './message-actions.tsx';
import { MessageEditor } from './message-editor.tsx';
import type { MessageHandlers } from './message-handlers.ts';
import { MessageParts } from './message-parts.tsx';

interface MessageViewProps {
  message: TreeMessage;
  siblings: Siblings;
  /** All answers of its run, where they stand side by side; else empty. */
  choices: readonly TreeMessage[];
  editing: boolean;
  handlers: MessageHandlers;
}

export const MessageView = memo(function MessageView(props: MessageViewProps) {
  const { message, siblings, choices, editing, handlers } = props;
  return (
    <article
      className={styles.message}
      data-role={message.role}
      data-wide={choices.length > 0}
      aria-label={message.role}
    >
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
          content={message.content}
          canRun={message.role !== 'assistant'}
          onSave={(content, run) => handlers.onEdited(message, content, run)}
          onCancel={handlers.onCancelEdit}
        />
      ) : (
        <MessageBody message={message} choices={choices} handlers={handlers} />
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
  choices: readonly TreeMessage[];
  handlers: MessageHandlers;
}

function MessageBody({ message, choices, handlers }: MessageBodyProps) {
  if (message.role === 'assistant') {
    if (message.run === null) return <AnswerText answer={settledAnswer(message)} running={false} />;
    if (choices.length > 0) {
      return (
        <ChoiceColumns
          key={message.run.id}
          choices={choices}
          run={message.run}
          picked={message}
          onPick={handlers.onSwitch}
          onRetry={handlers.onRetry}
        />
      );
    }
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
  return message.role === 'tool' && typeof message.content === 'string' ? (
    <ToolResult text={message.content} />
  ) : (
    <MessageParts content={message.content} />
  );
}
