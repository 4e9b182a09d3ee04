/** Finds conversations by title and message text. */
import {
  type Checkpoint,
  getTrigrams,
  readRowsIfFew,
  type SearchFile,
  withoutNul,
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

/** Returns recently changed conversations first; ignores case. */
export function searchConversations(
  file: SearchFile,
  { search, limit }: ConversationSearch,
  check: Checkpoint,
): ConversationMatch[] {
  const pattern = createPattern(search);
  const trigrams = getTrigrams(search);
  const few = trigrams === null ? null : readRowsIfFew(file, 'message_search', trigrams);
  const listTexts = few === null ? listAllTexts(file, check) : listCandidateTexts(file, check, few);
  const found: ConversationMatch[] = [];
  const conversations = file
    .sql('SELECT id, title FROM shown_conversations ORDER BY updated_at DESC, id DESC')
    .all();
  for (const { id, title } of conversations) {
    check();
    const text = findFirst(listTexts(String(id)), pattern);
    if (text === null && !pattern.test(String(title))) continue;
    found.push({ id: String(id), match: text === null ? null : createExcerpt(text, search) });
    if (found.length === limit) break;
  }
  return found;
}

/** Ignores case like the index, which `LIKE` does only for ASCII. */
function createPattern(search: string): RegExp {
  const words = withoutNul(search).toWellFormed();
  return new RegExp(words.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
}

function findFirst(texts: Iterable<string>, pattern: RegExp): string | null {
  for (const text of texts) if (pattern.test(text)) return text;
  return null;
}

type ListTexts = (conversationId: string) => Iterable<string>;

function listAllTexts({ sql }: SearchFile, check: Checkpoint): ListTexts {
  return function* (conversationId) {
    const texts = sql('SELECT text FROM shown_messages WHERE conversation_id = ? ORDER BY row');
    for (const { text } of texts.iterate(conversationId)) {
      check();
      yield String(text);
    }
  };
}

/** The index returns every text that contains the search, and some that don't. */
function listCandidateTexts({ sql }: SearchFile, check: Checkpoint, rows: string): ListTexts {
  const byConversation = new Map<unknown, number[]>();
  const candidates = sql(`SELECT row, conversation_id FROM shown_messages
    WHERE row IN (SELECT value FROM json_each(?)) ORDER BY row`).all(rows);
  for (const { row, conversation_id: id } of candidates) {
    const known = byConversation.get(id);
    if (known === undefined) byConversation.set(id, [Number(row)]);
    else known.push(Number(row));
  }
  return function* (conversationId) {
    for (const row of byConversation.get(conversationId) ?? []) {
      check();
      yield String(sql('SELECT text FROM messages WHERE row = ?').get(row)?.text ?? '');
    }
  };
}

/** Returns one line of text around the first match, with an ellipsis where text is cut. */
export function createExcerpt(text: string, search: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(search.toLowerCase()));
  const from = at <= AROUND ? 0 : findWordStart(text, at - AROUND, at);
  const end = at + search.length + AROUND;
  const to = end >= text.length ? text.length : findWordEnd(text, end, at + search.length);
  const words = text.slice(from, to).replaceAll(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${words}${to < text.length ? '…' : ''}`;
}

function findWordStart(text: string, from: number, before: number): number {
  const gap = text.slice(from, before).search(/\s/);
  return gap === -1 ? from : from + gap + 1;
}

function findWordEnd(text: string, end: number, after: number): number {
  const gap = text.slice(after, end).search(/\s\S*$/);
  return gap === -1 ? end : after + gap;
}
