/** Splits a checked file into pieces that the main process reads one at a time. */
import { z } from 'zod';
import type { JsonValue } from '../../../shared/json.ts';
import { savedToolSchema } from '../../../shared/saved-items.ts';
import { createValueCounter } from '../../base/count-json-values.ts';
import {
  type ConversationFile,
  fileConversationSchema,
  fileMediaSchema,
  fileMessageSchema,
  importError,
} from './conversation-file.ts';
import { importLimits } from './import-limits.ts';

const pieceSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('head'),
    connections: z.array(z.object({ id: z.string(), name: z.string() })),
    tools: z.array(savedToolSchema),
  }),
  z.object({ kind: z.literal('media'), item: fileMediaSchema.omit({ data: true }) }),
  /** Followed by its messages. */
  z.object({ kind: z.literal('conversation'), conversation: fileConversationSchema }),
  z.object({ kind: z.literal('messages'), messages: z.array(fileMessageSchema) }),
]);
export type ImportPiece = z.infer<typeof pieceSchema>;

/** JSON keeps numbers exact, and media bytes are transferred to the other thread. */
export interface WrittenPiece {
  text: string;
  bytes: Uint8Array<ArrayBuffer> | null;
}

/** Reading, inserting and indexing this much takes less than 8 ms. */
const MAX_MESSAGES = 50;
const MAX_LENGTH = 40_000;

const TOO_LONG = `A message in the file has more than ${importLimits.messageLength / 1e6} million characters.`;
const TOO_MANY = `A message in the file has more than ${importLimits.messageValues.toLocaleString('en-US')} values.`;

function hasTooManyValues(text: string): boolean {
  const { messageValues } = importLimits;
  return text.length > messageValues && createValueCounter()(Buffer.from(text)) > messageValues;
}

/** Yields the head, the media, and each conversation before its messages. */
export function* writePieces(file: ConversationFile): Generator<WrittenPiece, void> {
  const { connections, tools } = file;
  yield write({ kind: 'head', connections, tools });
  for (const { data, ...item } of file.media) {
    yield { ...write({ kind: 'media', item }), bytes: new Uint8Array(Buffer.from(data, 'base64')) };
  }
  for (const { messages, ...conversation } of file.conversations) {
    yield write({ kind: 'conversation', conversation: { ...conversation, messages: [] } });
    let texts: string[] = [];
    let length = 0;
    for (const message of messages) {
      const text = JSON.stringify(message);
      if (text.length > importLimits.messageLength) throw importError(TOO_LONG);
      if (hasTooManyValues(text)) throw importError(TOO_MANY);
      if (
        texts.length === MAX_MESSAGES ||
        (texts.length > 0 && length + text.length > MAX_LENGTH)
      ) {
        yield writeMessages(texts);
        texts = [];
        length = 0;
      }
      texts.push(text);
      length += text.length;
    }
    if (texts.length > 0) yield writeMessages(texts);
  }
}

function write(piece: { kind: ImportPiece['kind'] } & Record<string, unknown>): WrittenPiece {
  return { text: JSON.stringify(piece), bytes: null };
}

function writeMessages(texts: readonly string[]): WrittenPiece {
  return { text: `{"kind":"messages","messages":[${texts.join()}]}`, bytes: null };
}

export function readPiece(json: JsonValue | undefined): ImportPiece {
  return pieceSchema.parse(json);
}
