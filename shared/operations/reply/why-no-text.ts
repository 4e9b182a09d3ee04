/** Why an answer that should be text holds none, by the reasons for which the model stopped. */
export function whyNoText(reasons: readonly string[], isReasoned: boolean): string {
  if (reasons.some((reason) => /content_filter|safety|blocked/i.test(reason))) {
    return 'Withheld by the content filter.';
  }
  if (reasons.some((reason) => /^(length|max_tokens)$/i.test(reason))) {
    return isReasoned
      ? 'The token limit was reached while the model was reasoning.'
      : 'The token limit was reached before any text.';
  }
  return isReasoned ? 'The model returned reasoning but no answer.' : 'The response is empty.';
}
