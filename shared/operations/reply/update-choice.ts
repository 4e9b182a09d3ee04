/** Changes one choice of a reply and shares the others. */

/** `choices` with the one of number `index` changed, or begun from `empty` in its place. */
export function updateChoice<Choice extends { index: number }>(
  choices: Choice[],
  index: number,
  empty: (index: number) => Choice,
  change: (choice: Choice) => Choice,
): Choice[] {
  const at = choices.findIndex((choice) => choice.index >= index);
  const found = at === -1 ? undefined : choices[at];
  if (found?.index === index) {
    const changed = change(found);
    return changed === found ? choices : choices.with(at, changed);
  }
  return choices.toSpliced(at === -1 ? choices.length : at, 0, change(empty(index)));
}
