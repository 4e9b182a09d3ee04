/** Link reference definitions (`[name]: https://…`), which may stand after the text that uses them. */
import { Lexer } from 'marked';

export type Definitions = Readonly<Record<string, { href: string; title: string | null }>>;

export const noDefinitions: Definitions = {};

/** The same object where the line defines nothing new; the first definition of a name counts. */
export function addDefinitions(definitions: Definitions, line: string): Definitions {
  if (!/^[ \t>]*\[[^\]]+\]:/.test(line)) return definitions;
  const token = Lexer.lex(line.replace(/^[ \t>]+/, ''))[0];
  if (token?.type !== 'def' || Object.hasOwn(definitions, token.tag)) return definitions;
  return { ...definitions, [token.tag]: { href: token.href, title: token.title ?? null } };
}
