import { orpc } from '../../../lib/api.ts';

/** Pinned conversations and folders come first, so only old ones need another page. */
export const PAGE = 500;

export function getConversationsQuery(search = '', limit = PAGE) {
  return orpc.conversations.list.queryOptions({ input: { search, limit, order: 'place' } });
}

/** Lists only the newest archived conversation by default, which shows that there are some. */
export function getArchivedQuery(limit = 1) {
  return orpc.conversations.list.queryOptions({ input: { search: '', limit, archived: true } });
}
