import { useState } from 'react';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { RunInput } from '../../../shared/run-input.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { AnswerContent } from '../../run/body/answer-content.tsx';
import { Button } from '../../ui/button.tsx';
import { JsonView } from '../../ui/json-view/json-view.tsx';
import { RecordedText } from './recorded-text.tsx';
import styles from './run-record.module.css';

/** The messages of a request that is a conversation; null for any other. */
export function getMessages({ messages }: JsonObject): JsonObject[] | null {
  return Array.isArray(messages) && messages.every(isJsonObject)
    ? messages.filter(isJsonObject)
    : null;
}

/** A run's input as the panel stated it, field by field; messages are shown by themselves. */
export function RecordedFields({ recorded }: { recorded: RunInput }) {
  const isConversation = getMessages(recorded.request) !== null;
  // Null is how a request says that it has none of it; in an extra body it is sent.
  const stated = Object.entries(recorded.request).filter(
    ([name, value]) => value !== null && !(isConversation && name === 'messages'),
  );
  return (
    <>
      <Fields title="Request" fields={Object.fromEntries(stated)} />
      {Object.keys(recorded.extraBody).length > 0 && (
        <Fields title="Extra body fields" fields={recorded.extraBody} />
      )}
      {Object.keys(recorded.wireNames).length > 0 && (
        <Fields title="Renamed fields" fields={recorded.wireNames} />
      )}
      {recorded.follow !== null && (
        <Fields title="Followed task" fields={{ task_id: recorded.follow }} />
      )}
    </>
  );
}

/** The last user message; the conversation before it on demand. */
export function RecordedMessages({ messages }: { messages: JsonObject[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const lastUserIndex = messages.findLastIndex(({ role }) => role === 'user');
  const first = showsAll ? 0 : Math.max(0, lastUserIndex);
  return (
    <section className={styles.section} aria-label="Messages">
      <h3 className={styles.sectionTitle}>Messages</h3>
      {first > 0 && (
        <div>
          <Button size="small" variant="quiet" onClick={() => setShowsAll(true)}>
            Show {pluralize(first, 'earlier message')}
          </Button>
        </div>
      )}
      <ol className={styles.messages}>
        {messages.slice(first).map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: recorded messages never change places.
          <RecordedMessage key={first + index} message={message} />
        ))}
      </ol>
    </section>
  );
}

function RecordedMessage({ message }: { message: JsonObject }) {
  const { role, content, ...more } = message;
  const parts = Array.isArray(content) ? content : content == null ? [] : [content];
  return (
    <li className={styles.message} data-role={role}>
      <span className={styles.role}>{typeof role === 'string' ? role : 'message'}</span>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: recorded parts never change places.
        <MessagePart key={index} part={part} isAnswer={role === 'assistant'} />
      ))}
      {Object.keys(more).length > 0 && <JsonView label="More fields" value={more} />}
    </li>
  );
}

function MessagePart({ part, isAnswer }: { part: JsonValue; isAnswer: boolean }) {
  const text = isJsonObject(part) && part.type === 'text' ? part.text : part;
  if (typeof text !== 'string') return <JsonView label="Message part" value={part} />;
  return isAnswer ? <AnswerContent text={text} running={false} /> : <RecordedText text={text} />;
}

function Fields({ title, fields }: { title: string; fields: JsonObject }) {
  return (
    <section className={styles.section} aria-label={`Recorded ${title.toLowerCase()}`}>
      <h3 className={styles.sectionTitle}>{title}</h3>
      <dl className={styles.fields}>
        {Object.entries(fields).map(([name, value]) => (
          <div key={name} className={styles.field}>
            <dt>{name}</dt>
            <dd>
              {typeof value === 'string' ? (
                <RecordedText text={value} />
              ) : isJsonObject(value) || Array.isArray(value) ? (
                <JsonView label={name} value={value} />
              ) : (
                <code className={styles.scalar}>{String(value)}</code>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
