/** Fills the variables of saved prompts, such as `{{city}}`. */
const VARIABLE = /\{\{\s*([\p{L}_][\p{L}\p{N}_ .-]*?)\s*\}\}/gu;

/** Returns each name once, in the order of the text. */
export function getVariables(text: string): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map((match) => match[1] ?? ''))];
}

/** Leaves variables without a value as they are. */
export function fillPrompt(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(VARIABLE, (whole, name: string) => values.get(name) ?? whole);
}
