import type { ImageState } from '../../../shared/operations/image/state.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './result.module.css';
import { readRating } from './safety-rating.ts';

/** Details of the response besides the figures. */
export function ReplyDetails({ state }: { state: ImageState }) {
  const { candidates, promptFeedback, responseId } = state;
  const promptRatings = promptFeedback?.safetyRatings;
  const ratings = [
    ...(Array.isArray(promptRatings) ? promptRatings : []),
    ...candidates.flatMap(({ safetyRatings }) => safetyRatings),
  ].map(readRating);
  if (!responseId && ratings.length === 0) return null;
  return (
    <dl className={styles.details}>
      {responseId && (
        <div>
          <dt>Response ID</dt>
          <dd>{responseId}</dd>
        </div>
      )}
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
