import { memo } from 'react';
import type { TranscriptWord } from '../../../shared/operations/transcription/state.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './transcript.module.css';

interface SpokenWordsProps {
  words: readonly TranscriptWord[];
  /** Index of the word that is being spoken; -1 for none. */
  active: number;
  onWord: (index: number) => void;
}

/** Words are drawn in groups, so that the mark moving on redraws two groups and not an hour of words. */
const GROUP = 60;

export function SpokenWords({ words, active, onWord }: SpokenWordsProps) {
  const groups: number[] = [];
  for (let start = 0; start < words.length; start += GROUP) groups.push(start);
  return (
    <p className={styles.words}>
      {groups.map((start) => (
        <WordGroup
          key={start}
          words={words}
          start={start}
          active={active >= start && active < start + GROUP ? active : -1}
          onWord={onWord}
        />
      ))}
    </p>
  );
}

const WordGroup = memo(function WordGroup({
  words,
  start,
  active,
  onWord,
}: SpokenWordsProps & { start: number }) {
  return words.slice(start, start + GROUP).map(({ word }, offset) => {
    const index = start + offset;
    return (
      // The place in the transcript is what a word is: the same word comes many times.
      <span key={index}>
        <button
          type="button"
          className={classNames(styles.word, index === active && styles.spoken)}
          aria-current={index === active || undefined}
          onClick={() => onWord(index)}
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

/** The one that is spoken at `seconds`, in a list ordered by time; -1 between two. */
export function activeAt(items: readonly Timed[], seconds: number): number {
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

/** Whether the timed words say all of the text. Punctuation and case may differ; words must not be missing. */
export function wordsCoverText(words: readonly TranscriptWord[], text: string): boolean {
  if (words.length === 0) return false;
  return lettersOf(text).length <= lettersOf(words.map(({ word }) => word).join('')).length;
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{M}]/gu, '');
}
