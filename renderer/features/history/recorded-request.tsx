import { useState } from 'react';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { findReferencedMedia } from '../../../shared/media.ts';
import type { RunInput } from '../../../shared/run.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { getMediaTitle } from '../../media/players/describe-media.ts';
import { MediaView } from '../../media/players/media-view.tsx';
import { useMedia } from '../../media/players/use-media.ts';
import { AnswerContent } from '../../run/body/answer-content.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { JsonView } from '../../ui/json-view/json-view.tsx';
import styles from './run-record.module.css';

export function getMessages({ messages }: JsonObject): JsonObject[] | null {
  return Array.isArray(messages) && messages.every(isJsonObject)
    ? messages.filter(isJsonObject)
    : null;
}

export function RecordedFields({ recorded }: { recorded: RunInput }) {
  const isConversation = getMessages(recorded.request) !== null;
  // Null usually means unset in a request, but extra body fields send it as is.
  const stated = Object.entries(recorded.request).filter(
    ([name, value]) => value !== null && !(isConversation && name === 'messages'),
  );
  return (
    <>
      <Fields title="Request" fields={Object.fromEntries(stated)} />
      {Object.keys(recorded.extraBody).length > 0 && (
        <Fields title="Extra JSON" fields={recorded.extraBody} />
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

/** Shows messages starting with the last user message, and earlier ones on demand. */
export function RecordedMessages({ messages }: { messages: JsonObject[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const lastUserIndex = messages.findLastIndex(({ role }) => role === 'user');
  const first = showsAll ? 0 : Math.max(0, lastUserIndex);
  return (
    <section className="stack-8" aria-label="Messages">
      <h3 className="heading">Messages</h3>
      {first > 0 && (
        <div>
          <Button size="small" variant="quiet" onClick={() => setShowsAll(true)}>
            Show {pluralize(first, 'earlier message')}
          </Button>
        </div>
      )}
      <ol className="stack-12 reading">
        {messages.slice(first).map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages keep their order.
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
      <span className={classNames(styles.role, 'hint')}>
        {typeof role === 'string' ? role : 'message'}
      </span>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order.
        <MessagePart key={index} part={part} isAnswer={role === 'assistant'} />
      ))}
      {Object.keys(more).length > 0 && <JsonView label="Other fields" value={more} />}
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
    <section className="stack-8" aria-label={`Recorded ${title.toLowerCase()}`}>
      <h3 className="heading">{title}</h3>
      <dl className={styles.fields}>
        {Object.entries(fields).map(([name, value]) => (
          <div key={name} className={styles.field}>
            <dt>{name}</dt>
            <dd>
              {typeof value === 'string' ? (
                <RecordedString text={value} />
              ) : isJsonObject(value) || Array.isArray(value) ? (
                <JsonView label={name} value={value} />
              ) : (
                <code className="mono">{String(value)}</code>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Shows the file that a reference names. */
function RecordedString({ text }: { text: string }) {
  const mediaId = findReferencedMedia(text);
  const { media, isPending } = useMedia(mediaId);
  if (mediaId === null) return <RecordedText text={text} />;
  if (media !== null) return <MediaView media={media} title={getMediaTitle(media)} />;
  return isPending ? null : <p className="caption">This file was deleted from the library.</p>;
}

const FOLDED_CHARS = 4000;
/** Longer text is truncated, because a megabyte in one paragraph would block the page. */
const MAX_CHARS = 200_000;

export function RecordedText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? MAX_CHARS : FOLDED_CHARS;
  const hidden = text.length - shown;
  return (
    <>
      <p className={classNames(styles.text, 'verbatim')} dir="auto">
        {hidden > 0 ? `${text.slice(0, shown)}…` : text}
      </p>
      {hidden > 0 && !isOpen && (
        <Button size="small" variant="quiet" onClick={() => setOpen(true)}>
          Show {pluralize(hidden, 'more character')}
        </Button>
      )}
      {hidden > 0 && isOpen && <p className="hint">Open the inspector to see the rest.</p>}
    </>
  );
}
