/** Why an answer that should be text holds none, by the reasons for which the model stopped. */
import { isWithheld } from './withheld.ts';

/** Said of a reply of which nothing could be read: what it holds is not known. */
export const UNREADABLE = 'The response could not be read.';

export function whyNoText(reasons: readonly string[], isReasoned: boolean): string {
  if (reasons.some(isWithheld)) return 'Withheld by the content filter.';
  if (reasons.some((reason) => /^(length|max_tokens)$/i.test(reason))) {
    return isReasoned
      ? 'The token limit was reached while the model was reasoning.'
      : 'The token limit was reached before any text.';
  }
  return isReasoned ? 'The model returned reasoning but no answer.' : 'The response is empty.';
}
