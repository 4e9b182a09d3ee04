/** The readable text of a message's content. */
import type { Content } from './message.ts';

/** Its text parts joined, other parts left out. */
export function getText(content: Content | null): string {
  if (content === null) return '';
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}
