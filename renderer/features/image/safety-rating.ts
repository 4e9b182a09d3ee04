import { isJsonObject, type JsonValue } from '../../../shared/json.ts';

/** `HIGH`, or a rating that blocked the result, gets a color. */
export interface ShownRating {
  category: string;
  probability: string;
  blocked: boolean;
}

/** A rating of unknown shape is shown verbatim. */
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
