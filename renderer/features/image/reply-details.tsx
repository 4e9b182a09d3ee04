import type { ImageState } from '../../../shared/operations/image/state.ts';
import { formatCount } from '../../lib/format-quantity.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './result.module.css';
import { readRating } from './safety-rating.ts';

/** What the reply says besides the figures above it. */
export function ReplyDetails({ state }: { state: ImageState }) {
  const { candidates, promptFeedback, usage, responseId } = state;
  const promptRatings = promptFeedback?.safetyRatings;
  const ratings = [
    ...(Array.isArray(promptRatings) ? promptRatings : []),
    ...candidates.flatMap(({ safetyRatings }) => safetyRatings),
  ].map(readRating);
  const facts = [
    ['Response ID', responseId],
    ['Total tokens', counted(usage?.totalTokenCount)],
  ].filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '');
  if (facts.length === 0 && ratings.length === 0) return null;
  return (
    <dl className={styles.details}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {ratings.length > 0 && (
        <div>
          <dt>Safety ratings</dt>
          <dd className={styles.ratings}>
            {ratings.map(({ category, probability, blocked }, index) => (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: ratings keep their order.
                key={index}
                className={classNames(blocked && styles.ratingBlocked)}
              >
                {category}
                {probability !== '' && `: ${probability}`}
                {blocked && ' (blocked)'}
              </span>
            ))}
          </dd>
        </div>
      )}
    </dl>
  );
}

function counted(count: number | null | undefined): string | null {
  return count === null || count === undefined ? null : formatCount(count);
}
