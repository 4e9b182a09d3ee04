/** A function that need not work again for the argument that it had last. */
export function memoizeLast<Argument, Result>(
  work: (argument: Argument) => Result,
): (argument: Argument) => Result {
  let last: { argument: Argument; result: Result } | null = null;
  return (argument) => {
    if (last === null || last.argument !== argument) last = { argument, result: work(argument) };
    return last.result;
  };
}
