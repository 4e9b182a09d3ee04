import { isJsonObject, type JsonValue } from '../../../shared/json.ts';
import type { ImageState } from '../../../shared/operations/image/state.ts';
import { Fact, FactList } from '../../run/body/fact-table.tsx';
import { OtherFields } from '../../run/body/other-fields.tsx';
import { classNames } from '../../ui/class-names.ts';
import styles from './result.module.css';

export function ImageResponseDetails({ state }: { state: ImageState }) {
  const { candidates, promptFeedback, responseId, other } = state;
  const promptRatings = promptFeedback?.safetyRatings;
  const ratings = [
    ...(Array.isArray(promptRatings) ? promptRatings : []),
    ...candidates.flatMap(({ safetyRatings }) => safetyRatings),
  ].map(readRating);
  const hasFacts = Boolean(responseId) || ratings.length > 0;
  const isHarmless = ratings.every(({ probability, blocked }) => !blocked && isLow(probability));
  if (!hasFacts && Object.keys(other).length === 0) return null;
  return (
    <>
      {hasFacts && (
        <details className={classNames(styles.unknown, 'caption')} open={!isHarmless}>
          <summary>Response details</summary>
          <FactList>
            {responseId && <Fact name="Response ID">{responseId}</Fact>}
            {ratings.length > 0 && (
              <Fact name="Safety ratings">
                <span className="wrap-12">
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
                </span>
              </Fact>
            )}
          </FactList>
        </details>
      )}
      {Object.keys(other).length > 0 && <OtherFields fields={other} />}
    </>
  );
}

/** Returns true for a rating that nobody has to act on. */
function isLow(probability: string): boolean {
  return ['', 'negligible', 'low'].includes(probability);
}

export interface ShownRating {
  category: string;
  probability: string;
  blocked: boolean;
}

/** Returns the rating as JSON text if its shape is unknown. */
export function readRating(rating: JsonValue): ShownRating {
  if (!isJsonObject(rating)) {
    return { category: JSON.stringify(rating), probability: '', blocked: false };
  }
  const { category, probability, severity, blocked: isBlocked } = rating;
  if (typeof category !== 'string') {
    return { category: JSON.stringify(rating), probability: '', blocked: isBlocked === true };
  }
  const word = probability ?? severity;
  return {
    category: category
      .replace(/^HARM_CATEGORY_/, '')
      .replaceAll('_', ' ')
      .toLowerCase(),
    probability: typeof word === 'string' ? word.replaceAll('_', ' ').toLowerCase() : '',
    blocked: isBlocked === true,
  };
}
