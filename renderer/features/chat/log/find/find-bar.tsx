import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { sortResults } from '../../../../../shared/operations/chat/open-calls.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { CloseIcon } from '../../../../ui/icons/actions.tsx';
import { ArrowUpIcon } from '../../../../ui/icons/media.tsx';
import { ArrowDownIcon } from '../../../../ui/icons/status.tsx';
import { useFocusPassing } from '../../../../ui/pass-focus.ts';
import { closeFind, showChoice, useChat } from '../../conversation/chat-store.ts';
import { useChatSession, useChatState } from '../../session/chat-session.ts';
import { readMessageText } from '../answer/answer.ts';
import styles from './find-bar.module.css';
import { findMatches, stripMarkdown } from './find-text.ts';
import { clearHighlights, getDistance, highlightMatches } from './highlight-matches.ts';

/** Searches the whole branch; the log renders a message when its match becomes the current one. */
export function FindBar() {
  const { log } = useChatSession();
  const path = useChatState((chat) => chat.path);
  const choices = useChatState((chat) => chat.choices);
  const opened = useChat((state) => state.findOpened);
  const sources = useChat((state) => state.sources);
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const wanted = useDeferredValue(query);
  const input = useRef<HTMLInputElement>(null);
  const passingInput = useFocusPassing(input);
  const [returnTo] = useState(() => document.activeElement);
  const texts = useMemo(
    () =>
      sortResults(path).flatMap((message) => {
        const { id: messageId, role } = message;
        const hasChoices = message === path.at(-1) && choices.length > 0;
        const isRendered = role === 'assistant' && !sources.includes(messageId);
        return (hasChoices ? choices : [message]).map((choice) => {
          const source = readMessageText(choice);
          const text = isRendered ? stripMarkdown(source) : source;
          return { messageId, choiceId: choice.id, text };
        });
      }),
    [path, choices, sources],
  );
  const matches = useMemo(() => findMatches(texts, wanted), [texts, wanted]);
  const current = matches[Math.min(chosen, matches.length - 1)] ?? null;

  // Opening again selects the text; the menu that opened the bar returns its focus first.
  useEffect(() => {
    if (opened === 0) return;
    const frame = requestAnimationFrame(() => input.current?.select());
    return () => cancelAnimationFrame(frame);
  }, [opened]);

  useEffect(() => {
    const scroller = log.current?.getScroller() ?? null;
    if (scroller === null) return;
    let isRevealed = current === null;
    if (current !== null) log.current?.showMessage(current.messageId);
    showChoice(current?.choiceId ?? null);
    function refresh() {
      if (scroller === null) return;
      const range = highlightMatches(scroller, wanted, current);
      if (range === null || isRevealed) return;
      isRevealed = true;
      log.current?.scrollBy(getDistance(scroller, range));
    }
    let frame = requestAnimationFrame(refresh);
    // Messages mount and unmount as the log scrolls, and an answer can grow.
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(refresh);
    });
    observer.observe(scroller, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [log, wanted, current]);
  useEffect(() => clearHighlights, []);

  function close() {
    if (returnTo instanceof HTMLElement && returnTo.isConnected) returnTo.focus();
    closeFind();
  }

  function move(by: number) {
    const { length } = matches;
    if (length > 0) setChosen((Math.min(chosen, length - 1) + by + length) % length);
  }

  return (
    <search
      // biome-ignore lint/a11y/noRedundantRoles: not every screen reader knows the element.
      role="search"
      className={`row-8 ${styles.bar}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Elsewhere, Escape stops the answer.
        event.stopPropagation();
        close();
      }}
    >
      <input
        ref={passingInput}
        // biome-ignore lint/a11y/noAutofocus: the user opened the bar to type.
        autoFocus
        type="text"
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        aria-label="Find in conversation"
        placeholder="Find in conversation"
        className={styles.input}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.stopPropagation();
          move(event.shiftKey ? -1 : 1);
        }}
      />
      <span className={styles.count} role="status">
        {wanted !== '' && describeCount(Math.min(chosen, matches.length - 1), matches.length)}
      </span>
      <IconButton
        size="small"
        label="Previous match"
        shortcut="Shift+Enter"
        icon={<ArrowUpIcon size={14} />}
        disabled={matches.length === 0}
        onClick={() => move(-1)}
      />
      <IconButton
        size="small"
        label="Next match"
        shortcut="Enter"
        icon={<ArrowDownIcon size={14} />}
        disabled={matches.length === 0}
        onClick={() => move(1)}
      />
      <IconButton
        size="small"
        label="Close"
        shortcut="Escape"
        icon={<CloseIcon size={14} />}
        onClick={close}
      />
    </search>
  );
}

function describeCount(index: number, count: number): string {
  return count === 0
    ? 'No matches'
    : `${(index + 1).toLocaleString()} of ${count.toLocaleString()}`;
}
