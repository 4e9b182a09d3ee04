import { type ReactNode, useRef } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import { Button } from '../../../ui/button.tsx';
import { ArrowDownIcon } from '../../../ui/icons/status.tsx';
import type { Place } from '../chat-store.ts';
import type { ComposerForm } from '../composer/composer-form.ts';
import type { Siblings } from './branch.ts';
import type { MessageHandlers } from './message-handlers.ts';
import styles from './message-log.module.css';
import { MessageView } from './message-view.tsx';
import { useStickToEnd } from './use-stick-to-end.ts';

interface MessageLogProps {
  /** Of the conversation. */
  form: ComposerForm;
  path: readonly TreeMessage[];
  siblings: ReadonlyMap<string, Siblings>;
  /** What answers say about their model. */
  notes: ReadonlyMap<string, string>;
  /** The answers shown side by side at the end. */
  choices: readonly TreeMessage[];
  /** Below the last message, in the log. */
  end: ReactNode;
  editingId: string | null;
  handlers: MessageHandlers;
  /** The scroll position to restore; null for the end. */
  place: Place | null;
  onPlace: (place: Place | null) => void;
}

/** The shown branch, only what is near the view mounted; stays at the end while the reader is there. */
export function MessageLog(props: MessageLogProps) {
  const { form, path, siblings, notes, choices, end, editingId, handlers, place, onPlace } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const { away, onInput, onScroll, onScrollEnd, onResize, jumpToEnd } = useStickToEnd({
    scroller,
    list,
    ids: path.map(({ id }) => id),
    place,
    onPlace,
  });
  const lastId = path.at(-1)?.id;
  const editingIndex = path.findIndex(({ id }) => id === editingId);
  return (
    <div className={styles.frame}>
      {/* The answers' own headings begin a level below it. */}
      <h2 className="visually-hidden">Conversation</h2>
      <div
        ref={scroller}
        className={styles.log}
        role="log"
        aria-label="Conversation"
        aria-live="off"
        onWheel={onInput}
        onTouchMove={onInput}
        onKeyDown={onInput}
        onPointerDown={onInput}
        onPointerMove={(event) => event.buttons !== 0 && onInput()}
      >
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          bufferSize={1200}
          keepMounted={editingIndex < 0 ? [] : [editingIndex]}
          onScroll={onScroll}
          onScrollEnd={onScrollEnd}
          onResize={onResize}
        >
          {path.map((message) => (
            <MessageView
              key={message.id}
              message={message}
              form={form}
              siblings={siblings.get(message.id) ?? alone}
              note={notes.get(message.id) ?? null}
              choices={message.id === lastId ? choices : noChoices}
              editing={message.id === editingId}
              handlers={handlers}
            />
          ))}
          {end !== null && <div key="end">{end}</div>}
        </Virtualizer>
      </div>
      {away && (
        <div className={styles.jump}>
          <Button size="small" icon={<ArrowDownIcon size={14} />} onClick={jumpToEnd}>
            Jump to end
          </Button>
        </div>
      )}
    </div>
  );
}

const alone: Siblings = { ids: [], position: 0 };
const noChoices: readonly TreeMessage[] = [];
