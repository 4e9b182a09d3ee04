import { type ReactNode, type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react';
import {
  type CustomContainerComponentProps,
  type CustomItemComponentProps,
  Virtualizer,
  type VirtualizerHandle,
} from 'virtua';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import { sortResults } from '../../../../shared/operations/chat/open-calls.ts';
import { Button } from '../../../ui/button.tsx';
import { ArrowDownIcon } from '../../../ui/icons/status.tsx';
import { getCalledTools, type Siblings } from '../conversation/branch.ts';
import { type Place, useChat } from '../conversation/chat-store.ts';
import type { ComposerForm } from '../conversation/composer-form.ts';
import type { EarlierMessages } from '../conversation/use-conversation.ts';
import type { LogControl } from '../session/chat-session.ts';
import { getFinishedCalls } from './answer/finished-calls.ts';
import type { ShownStep } from './answer/step-lines.tsx';
import { BUFFER_PX, type ScrollGroup, useStickToEnd } from './log-scroll.ts';
import type { MessageHandlers } from './message-handlers.ts';
import styles from './message-log.module.css';
import { MessageView } from './message-view.tsx';

interface MessageLogProps extends Partial<EarlierMessages> {
  label?: string;
  form: ComposerForm;
  path: readonly TreeMessage[];
  siblings?: ReadonlyMap<string, Siblings>;
  /** Maps message IDs to notes about the answer's model. */
  notes?: ReadonlyMap<string, string>;
  /** Answers shown side by side at the end of the log. */
  choices?: readonly TreeMessage[];
  end?: ReactNode;
  editingId?: string | null;
  handlers: MessageHandlers;
  /** Null starts at the end of the log. */
  place?: Place | null;
  onPlace?: (place: Place | null) => void;
  together?: ScrollGroup | null;
  /** The message that stays in view while the log follows its end; null if none does. */
  stopsAtId?: string | null;
  control?: Ref<LogControl>;
}

/** Renders the shown branch as a virtual list that stays at its end. */
export function MessageLog(props: MessageLogProps) {
  const { label = 'Conversation', form, siblings, notes, choices = none, handlers } = props;
  const { end = null, editingId = null, place = null, onPlace, together = null } = props;
  const { stopsAtId = null } = props;
  const { earlier = 'loaded', loadEarlier = () => undefined } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const sorted = useMemo(() => sortResults(props.path), [props.path]);
  const steps = useShownSteps(sorted, editingId);
  const path = useMemo(() => hideResults(sorted, steps), [sorted, steps]);
  const ids = path.map(({ id }) => id);
  const calledTools = useMemo(() => getCalledTools(sorted), [sorted]);
  const stick = useStickToEnd({ scroller, list, ids, place, onPlace, together, stopsAtId });
  const { away, keptFromId, onInput, onScroll, onScrollEnd, onResize, jumpToEnd } = stick;
  const { jumpTo, scrollBy, showMessage, step } = stick;
  useImperativeHandle(props.control, () => ({
    getScroller: () => scroller.current,
    jumpTo,
    scrollBy,
    showMessage,
    step,
  }));
  const lastId = ids.at(-1);
  const isPrepended = usePrepended(ids, end !== null);
  const kept = [...getTailIndexes(ids, keptFromId), ...getIndexes(ids, editingId)];
  return (
    <div className={`fill ${styles.frame}`}>
      {/* Headings in answers start one level below the log's heading. */}
      <h2 className="visually-hidden">{label}</h2>
      <div
        ref={scroller}
        className={styles.log}
        role="log"
        aria-label={label}
        aria-live="off"
        onWheel={onInput}
        onTouchMove={onInput}
        onKeyDown={onInput}
        onPointerDown={onInput}
        onPointerMove={(event) => event.buttons !== 0 && onInput()}
      >
        <Virtualizer
          ref={list}
          as={Rows}
          item={Row}
          scrollRef={scroller}
          bufferSize={BUFFER_PX}
          shift={isPrepended}
          keepMounted={kept}
          onScroll={onScroll}
          onScrollEnd={onScrollEnd}
          onResize={onResize}
        >
          {path.map((message) => (
            <MessageView
              key={message.id}
              message={message}
              form={form}
              siblings={siblings?.get(message.id) ?? noSiblings}
              note={notes?.get(message.id) ?? null}
              tool={calledTools.get(message.id) ?? null}
              step={steps.get(message.id) ?? null}
              isLast={message.id === lastId}
              choices={message.id === lastId ? choices : none}
              editing={message.id === editingId}
              handlers={handlers}
            />
          ))}
          {end !== null && <div key="end">{end}</div>}
        </Virtualizer>
      </div>
      <EarlierNotice earlier={earlier} loadEarlier={loadEarlier} />
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

/** Finished tool calls fold to lines, unless the user opened them, searches or edits a message. */
function useShownSteps(
  path: readonly TreeMessage[],
  editingId: string | null,
): ReadonlyMap<string, ShownStep> {
  const openIds = useChat((chat) => chat.openSteps);
  const isFinding = useChat((chat) => chat.findOpened > 0);
  const steps = useMemo(() => getFinishedCalls(path), [path]);
  return useMemo(
    () =>
      new Map(
        [...steps].map(([answerId, step]): [string, ShownStep] => [
          answerId,
          {
            ...step,
            answerId,
            isOpen:
              isFinding ||
              openIds.includes(answerId) ||
              [answerId, ...step.resultIds].some((id) => id === editingId),
          },
        ]),
      ),
    [steps, openIds, isFinding, editingId],
  );
}

function hideResults(
  path: readonly TreeMessage[],
  steps: ReadonlyMap<string, ShownStep>,
): readonly TreeMessage[] {
  const hidden = new Set(
    [...steps.values()].flatMap(({ isOpen, resultIds }) => (isOpen ? [] : resultIds)),
  );
  return hidden.size === 0 ? path : path.filter(({ id }) => !hidden.has(id));
}

export function EarlierNotice({ earlier, loadEarlier }: EarlierMessages) {
  if (earlier === 'loaded') return null;
  if (earlier === 'loading') {
    return <p className={`row-8 caption ${styles.partial}`}>Loading earlier messages…</p>;
  }
  return (
    <div role="alert" className={`row-8 caption ${styles.partial}`}>
      Couldn’t load earlier messages.
      <Button size="small" onClick={loadEarlier}>
        Try again
      </Button>
    </div>
  );
}

/** Accepts clicks during scrolling, because a streaming answer scrolls the log constantly. */
function Rows({ style, children, ref }: CustomContainerComponentProps) {
  return (
    <div ref={ref} style={{ ...style, pointerEvents: 'auto' }}>
      {children}
    </div>
  );
}

/** Rows that aren't measured yet are transparent, because hidden ones would lose the focus. */
function Row({ style, children, ref }: CustomItemComponentProps) {
  const { visibility, ...shown } = style;
  return (
    <div ref={ref} style={visibility === 'hidden' ? { ...shown, opacity: 0 } : shown}>
      {children}
    </div>
  );
}

/**
 * Returns true if messages were added at the start, in which case the list restores its position.
 */
function usePrepended(ids: readonly string[], hasEnd: boolean): boolean {
  const [firstId] = ids;
  const count = ids.length + Number(hasEnd);
  const [known, setKnown] = useState({ firstId, count, isPrepended: false });
  if (known.firstId === firstId && known.count === count) return known.isPrepended;
  const isPrepended =
    known.firstId !== firstId && known.firstId !== undefined && ids.includes(known.firstId);
  setKnown({ firstId, count, isPrepended });
  return isPrepended;
}

function getIndexes(ids: readonly string[], id: string | null): number[] {
  const index = id === null ? -1 : ids.lastIndexOf(id);
  return index < 0 ? [] : [index];
}

function getTailIndexes(ids: readonly string[], id: string | null): number[] {
  return getIndexes(ids, id).flatMap((first) =>
    Array.from({ length: ids.length - first }, (_, offset) => first + offset),
  );
}

const noSiblings: Siblings = { ids: [], position: 0 };
const none: readonly TreeMessage[] = [];
