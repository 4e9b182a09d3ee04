/**
 * Spread onto any element; the one `TooltipLayer` shows it on hover and keyboard focus, below or,
 * with `data-tooltip-side="right"`, beside it.
 */
export function tooltip(text: string, shortcut?: string): Record<`data-${string}`, string> {
  return shortcut === undefined
    ? { 'data-tooltip': text }
    : { 'data-tooltip': text, 'data-shortcut': shortcut };
}
