import { pluralize } from '../../../lib/format-quantity.ts';
import type { CommonStart } from './common-start.ts';
import styles from './text-diff.module.css';

/** How much several texts have in common from their first word on. */
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
