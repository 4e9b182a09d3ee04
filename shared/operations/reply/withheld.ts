/** Finish reasons of a filter, in whatever spelling: the answer was withheld, not ended. */
const WITHHELD = /content_?filter|safety|prohibited|block|spii|recitation|moderat/i;

export function isWithheld(reason: string): boolean {
  return WITHHELD.test(reason);
}
