/** Finds conversations whose title or messages contain what was typed. */
import type { Database } from './database-access.ts';
import { likeText } from './run-search.ts';

/** The tokenizer cuts text into runs of three characters: shorter words are not in the index. */
const SHORTEST_INDEXED = 3;
/** Characters shown before and behind the match. */
const AROUND = 40;

export interface ConversationMatch {
  id: string;
  /** Words around the match; null where only the title matches. */
  match: string | null;
}

/** Most recently changed first. Letters match in either case (beyond ASCII only by the index). */
export function searchConversations(
  db: Database,
  search: string,
  limit: number,
): ConversationMatch[] {
  const indexed = db.fullText && Array.from(search).length >= SHORTEST_INDEXED;
  const containing = indexed
    ? 'SELECT rowid FROM message_search WHERE message_search MATCH ?'
    : "SELECT row FROM shown_messages WHERE text LIKE ? ESCAPE '\\'";
  const like = likeText(search);
  const phrase = indexed ? `"${search.replaceAll('"', '""')}"` : like;
  return db
    .sql(`SELECT c.id, (SELECT m.text FROM messages m WHERE m.row = found.row) AS text
      FROM shown_conversations c
      LEFT JOIN (SELECT conversation_id, min(row) AS row FROM shown_messages
        WHERE row IN (${containing}) GROUP BY conversation_id) found ON found.conversation_id = c.id
      WHERE found.row IS NOT NULL OR c.title LIKE ? ESCAPE '\\'
      ORDER BY c.updated_at DESC, c.id DESC LIMIT ?`)
    .all(phrase, like, limit)
    .map(({ id, text }) => ({
      id: String(id),
      match: typeof text === 'string' ? excerpt(text, search) : null,
    }));
}

/** One line of the text around the first match, with an ellipsis where it was cut. */
export function excerpt(text: string, search: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(search.toLowerCase()));
  const from = at <= AROUND ? 0 : wordStart(text, at - AROUND, at);
  const end = at + search.length + AROUND;
  const to = end >= text.length ? text.length : wordEnd(text, end, at + search.length);
  const words = text.slice(from, to).replaceAll(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${words}${to < text.length ? '…' : ''}`;
}

function wordStart(text: string, from: number, before: number): number {
  const gap = text.slice(from, before).search(/\s/);
  return gap === -1 ? from : from + gap + 1;
}

function wordEnd(text: string, end: number, after: number): number {
  const gap = text.slice(after, end).search(/\s\S*$/);
  return gap === -1 ? end : after + gap;
}
