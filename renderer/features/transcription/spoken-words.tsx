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
