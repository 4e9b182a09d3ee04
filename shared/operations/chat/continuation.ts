/** Joins an answer that was cut off with the answer that continues it. */
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { type Content, getContentText, type WireMessage } from './message.ts';

/** The answer so far, whose text the new answer continues. */
export const continuedSchema = z.object({
  /** The runs that wrote the answer so far, oldest first. */
  runIds: z.array(z.string()),
  content: z.string(),
  reasoning: z.string().nullable(),
});
export type Continued = z.infer<typeof continuedSchema>;

/** A shorter prefix may repeat by chance, such as the `1` of a list of numbers. */
const MIN_REPEATED = 20;

/** Some gateways return the whole answer instead of the rest. */
function isWhole(text: string, before: string): boolean {
  return before.length >= MIN_REPEATED && text.startsWith(before);
}

export function joinContent(before: string, content: Content): Content {
  if (isWhole(getContentText(content), before)) return content;
  if (typeof content === 'string') return before + content;
  const [first, ...rest] = content;
  return first?.type === 'text'
    ? [{ ...first, text: before + first.text }, ...rest]
    : [{ type: 'text', text: before }, ...content];
}

export function joinReasoning(before: string | null, reasoning: string | null): string | null {
  return [before, reasoning].filter((text) => text !== null && text !== '').join('\n\n') || null;
}

/** Joins the answer's text and items in the message as the gateway sent it. */
export function joinWire(
  before: string,
  earlier: WireMessage | null,
  { format, message }: WireMessage,
): WireMessage {
  const { items, ...rest } = joinMessage(before, message);
  if (!Array.isArray(items)) return { format, message: rest };
  const start = earlier?.format === format ? earlier.message.items : undefined;
  const isAll = typeof message.content === 'string' && isWhole(message.content, before);
  if (isAll) return { format, message: { ...rest, items } };
  // Without the items of the start, the joined text is sent.
  if (!Array.isArray(start)) return { format, message: rest };
  const joined = [...start, ...items].map((item, index) =>
    isJsonObject(item) ? { ...item, index } : item,
  );
  return { format, message: { ...rest, items: joined } };
}

export function joinMessage(before: string, message: JsonObject): JsonObject {
  const { content } = message;
  if (Array.isArray(content)) {
    const parts = content
      .filter(isJsonObject)
      .map((part) => ({ ...part, type: String(part.type) }));
    if (isWhole(getContentText(parts), before)) return message;
    return { ...message, content: [{ type: 'text', text: before }, ...content] };
  }
  const text = typeof content === 'string' ? content : '';
  return { ...message, content: isWhole(text, before) ? text : before + text };
}
