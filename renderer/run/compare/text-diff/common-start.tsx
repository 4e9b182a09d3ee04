import { pluralize } from '../../../lib/format-quantity.ts';
import styles from './text-diff.module.css';

/** Finds the common prefix of several texts in whole words. */
export interface CommonStart {
  shared: string;
  /** Empty if the whole text is shared. */
  rests: string[];
}

export function findCommonStart(texts: readonly string[]): CommonStart {
  const [first = '', ...others] = texts;
  let length = others.length === 0 ? 0 : first.length;
  for (const text of others) length = countCommon(first, text, length);
  // Compare whole words, so that the prefix doesn't end inside a word or surrogate pair.
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  for (const text of texts) {
    const segment = segmenter.segment(text).containing(length);
    if (segment !== undefined && segment.segment.trim() !== '') {
      length = Math.min(length, segment.index);
    }
  }
  return { shared: first.slice(0, length), rests: texts.map((text) => text.slice(length)) };
}

function countCommon(one: string, other: string, maxLength: number): number {
  const end = Math.min(maxLength, other.length);
  let length = 0;
  while (length < end && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return length;
}

export function SharedStart({ start: { shared, rests } }: { start: CommonStart }) {
  return (
    <p className={styles.summary}>
      {shared.trim() === ''
        ? 'The texts differ from the first word.'
        : rests.every((rest) => rest === '')
          ? 'The texts are identical.'
          : `Common prefix: ${pluralize(countWords(shared), 'word')}. Differences are highlighted.`}
    </p>
  );
}

function countWords(text: string): number {
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
}
