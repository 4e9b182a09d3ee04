/** Finds conversations by title and message text. */
import {
  type Checkpoint,
  getPhrase,
  likeMatchesIndex,
  likeText,
  readRowsIfFew,
  type SearchFile,
} from './search-file.ts';

const AROUND = 40;

export interface ConversationSearch {
  search: string;
  limit: number;
}

export interface ConversationMatch {
  id: string;
  match: string | null;
}

/** Returns recently changed conversations first; ignores non-ASCII case only with the index. */
export function searchConversations(
  file: SearchFile,
  query: ConversationSearch,
  check: Checkpoint,
): ConversationMatch[] {
  const { search } = query;
  const phrase = getPhrase(search);
  const few = phrase === null ? null : readRowsIfFew(file, 'message_search', phrase);
  if (few !== null) {
    return findMatches(file, query, 'SELECT value FROM json_each(?)', few);
  }
  if (phrase === null || likeMatchesIndex(search)) return searchNewest(file, query, check);
  return findMatches(
    file,
    query,
    'SELECT rowid FROM message_search WHERE message_search MATCH ?',
    phrase,
  );
}

/** `rows` is SQL with one parameter that selects the rows of matching messages. */
function findMatches(
  { sql }: SearchFile,
  { search, limit }: ConversationSearch,
  rows: string,
  value: string,
): ConversationMatch[] {
  return sql(`SELECT c.id, (SELECT m.text FROM messages m WHERE m.row = found.row) AS text
      FROM shown_conversations c
      LEFT JOIN (SELECT conversation_id, min(row) AS row FROM shown_messages
        WHERE row IN (${rows}) GROUP BY conversation_id) found ON found.conversation_id = c.id
      WHERE found.row IS NOT NULL OR c.title LIKE ? ESCAPE '\\'
      ORDER BY c.updated_at DESC, c.id DESC LIMIT ?`)
    .all(value, likeText(search), limit)
    .map(({ id, text }) => getMatch(id, text, search));
}

function searchNewest(
  { sql }: SearchFile,
  { search, limit }: ConversationSearch,
  check: Checkpoint,
): ConversationMatch[] {
  const like = likeText(search);
  const found: ConversationMatch[] = [];
  const conversations =
    sql(`SELECT id, title LIKE ? ESCAPE '\\' AS isTitled FROM shown_conversations
    ORDER BY updated_at DESC, id DESC`).all(like);
  for (const { id, isTitled } of conversations) {
    check();
    const first = sql(`SELECT text FROM shown_messages WHERE conversation_id = ?
      AND text LIKE ? ESCAPE '\\' ORDER BY row LIMIT 1`).get(String(id), like);
    if (first === undefined && isTitled !== 1) continue;
    found.push(getMatch(id, first?.text, search));
    if (found.length === limit) break;
  }
  return found;
}

function getMatch(id: unknown, text: unknown, search: string): ConversationMatch {
  return { id: String(id), match: typeof text === 'string' ? createExcerpt(text, search) : null };
}

/** Returns one line of text around the first match, with an ellipsis where text is cut. */
export function createExcerpt(text: string, search: string): string {
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
