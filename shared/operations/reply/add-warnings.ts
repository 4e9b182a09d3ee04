/** Warnings of a state: each once, in the order they came. */

/** The same state where there is nothing new. */
export function addWarnings<State extends { warnings: string[] }>(
  state: State,
  warnings: readonly string[],
): State {
  const fresh = warnings.filter(
    (warning, at) => !state.warnings.includes(warning) && warnings.indexOf(warning) === at,
  );
  return fresh.length === 0 ? state : { ...state, warnings: [...state.warnings, ...fresh] };
}
