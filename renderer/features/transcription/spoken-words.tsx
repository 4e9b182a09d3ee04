import { type KeyboardEvent, type MouseEvent, memo, useRef } from 'react';
import type { TranscriptWord } from '../../../shared/operations/transcription/state.ts';
import { classNames } from '../../ui/class-names.ts';
import { useRovingList } from '../../ui/roving-list.ts';
import { AutoScrollList, useFollow } from './followed-list.tsx';
import styles from './transcript.module.css';

interface SpokenWordsProps {
  words: readonly TranscriptWord[];
  /** -1 means that no word is playing. */
  active: number;
  onWord: (index: number) => void;
}

/** Words are grouped so that moving the mark re-renders two groups instead of an hour of words. */
const GROUP = 60;

/** Renders a list with one Tab stop: arrow keys move between words, and Enter plays. */
export function SpokenWords({ words, active, onWord }: SpokenWordsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const follow = useFollow(active, (index) => scrollToWord(scroller.current, index));
  const roving = useRovingList({
    keys: getKeys(words.length),
    currentKey: active < 0 ? null : String(active),
    getItemText: (index) => words[index]?.word ?? '',
  });
  const groups: number[] = [];
  for (let start = 0; start < words.length; start += GROUP) groups.push(start);

  function onClick({ target }: MouseEvent): void {
    const word = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
    if (word?.dataset.row === undefined) return;
    follow.resume();
    onWord(Number(word.dataset.row));
  }

  /** Words are inline, so Left and Right move between them. */
  function onKeyDown(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) {
      roving.listProps.onKeyDown(event);
      return;
    }
    event.preventDefault();
    roving.moveTo(roving.stop + by);
  }

  return (
    <AutoScrollList follow={follow} hasCurrent={active >= 0}>
      <div ref={scroller} className={styles.scroller} {...follow.scrollProps}>
        <p
          className={styles.words}
          dir="auto"
          {...roving.listProps}
          onKeyDown={onKeyDown}
          onClick={onClick}
        >
          {groups.map((start) => (
            <WordGroup
              key={start}
              words={words}
              start={start}
              active={getIndexWithin(active, start)}
              stop={getIndexWithin(roving.stop, start)}
            />
          ))}
        </p>
      </div>
    </AutoScrollList>
  );
}

function getIndexWithin(index: number, start: number): number {
  return index >= start && index < start + GROUP ? index : -1;
}

let keys: string[] = [];

function getKeys(count: number): readonly string[] {
  if (keys.length !== count) keys = Array.from({ length: count }, (_, index) => String(index));
  return keys;
}

/** Scrolls the word to the upper third of the view unless it's already near the middle. */
function scrollToWord(scroller: HTMLElement | null, index: number): void {
  const word = scroller?.querySelector<HTMLElement>(`[data-row="${index}"]`);
  if (!scroller || !word) return;
  const { clientHeight } = scroller;
  const top = word.offsetTop - scroller.scrollTop;
  if (top > clientHeight * 0.15 && top < clientHeight * 0.7) return;
  scroller.scrollTop = word.offsetTop - clientHeight * 0.3;
}

interface WordGroupProps {
  words: readonly TranscriptWord[];
  start: number;
  active: number;
  /** -1 if the Tab stop is a word in another group. */
  stop: number;
}

const WordGroup = memo(function WordGroup({ words, start, active, stop }: WordGroupProps) {
  return words.slice(start, start + GROUP).map(({ word }, offset) => {
    const index = start + offset;
    return (
      // Identify words by position, because they repeat.
      <span key={index} data-row={index}>
        <button
          type="button"
          tabIndex={index === stop ? 0 : -1}
          className={classNames(styles.word, index === active && styles.spoken)}
          aria-current={index === active || undefined}
        >
          {word.trim()}
        </button>{' '}
      </span>
    );
  });
});

interface Timed {
  start: number;
  end: number;
}

/** Returns the index of the item playing at `seconds` in a sorted list; -1 between items. */
export function findActiveIndex(items: readonly Timed[], seconds: number): number {
  let low = 0;
  let high = items.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item === undefined) return -1;
    if (seconds < item.start) high = middle - 1;
    else if (seconds >= item.end) low = middle + 1;
    else return middle;
  }
  return -1;
}

/** Returns true if the timed words cover all of the text, ignoring punctuation and case. */
export function wordsCoverText(words: readonly TranscriptWord[], text: string): boolean {
  if (words.length === 0) return false;
  return getLetters(text).length <= getLetters(words.map(({ word }) => word).join('')).length;
}

function getLetters(text: string): string {
  return text.replace(/[^\p{L}\p{M}]/gu, '');
}
