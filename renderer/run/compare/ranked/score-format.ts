export function describeMovement(movedUp: number): string {
  if (movedUp === 0) return 'unchanged';
  const places = Math.abs(movedUp);
  return `${movedUp > 0 ? 'up' : 'down'} ${places}`;
}

/** Formats all scores with the same number of decimals, using more if all scores are tiny. */
export function createScoreFormat(
  documents: readonly { relevanceScore: number | null }[],
): (score: number) => string {
  const max = documents.reduce(
    (max, { relevanceScore }) => Math.max(max, Math.abs(relevanceScore ?? 0)),
    0,
  );
  const decimals = max >= 100 ? 2 : max > 0 && max < 0.01 ? 6 : 4;
  return (score) => score.toFixed(decimals);
}
