import type { Content } from '../../../../shared/operations/chat/message.ts';

/** The text of a message; a part that is not text stands as its type in brackets. */
export function messageText(content: Content): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}
