import type { ConversationSummary } from '../../../../shared/conversation.ts';
import { once } from '../../../../shared/once.ts';

export type ListLine =
  | { kind: 'heading'; key: string; title: string }
  | { kind: 'section'; key: string; section: Section; title: string; count: number; open: boolean }
  | { kind: 'conversation'; key: string; conversation: ConversationSummary; isNested: boolean };

/** A section that can be closed. */
export type Section = { kind: 'folder'; name: string } | { kind: 'archived' };

interface Listed {
  conversations: readonly ConversationSummary[];
  /** All archived conversations if their section is open, else the newest one. */
  archived: readonly ConversationSummary[];
  closedFolders: readonly string[];
  archivedOpen: boolean;
  now: Date;
}

/** Returns pinned conversations, folders by name, the others by date, and archived ones. */
export function getListLines(listed: Listed): ListLine[] {
  const { conversations, archived, closedFolders, archivedOpen, now } = listed;
  const pinned = conversations.filter((one) => one.pinned);
  const others = conversations.filter((one) => !one.pinned);
  const folders = Map.groupBy(others, ({ folder }) => folder);
  const loose = folders.get(null) ?? [];
  folders.delete(null);
  const lines: ListLine[] = [];
  if (pinned.length > 0) {
    lines.push({ kind: 'heading', key: 'heading Pinned', title: 'Pinned' }, ...toLines(pinned));
  }
  for (const [name, inside] of [...folders].sort(compareNames)) {
    const open = !closedFolders.includes(name ?? '');
    const title = name ?? '';
    const section: Section = { kind: 'folder', name: title };
    lines.push({
      kind: 'section',
      key: `folder ${title}`,
      section,
      title,
      count: inside.length,
      open,
    });
    if (open) lines.push(...toLines(inside, true));
  }
  lines.push(...groupByDate(loose, now));
  if (archived.length > 0) {
    const section: Section = { kind: 'archived' };
    const count = archivedOpen ? archived.length : 0;
    lines.push({
      kind: 'section',
      key: 'archived',
      section,
      title: 'Archived',
      count,
      open: archivedOpen,
    });
    if (archivedOpen) lines.push(...toLines(archived, true));
  }
  return lines;
}

/** Search results aren't sorted by date, so they have no headings. */
export function toLines(
  conversations: readonly ConversationSummary[],
  isNested = false,
): ListLine[] {
  return conversations.map((conversation) => ({
    kind: 'conversation',
    key: conversation.id,
    conversation,
    isNested,
  }));
}

/** Adds a heading before each date group. Expects the newest conversation first. */
export function groupByDate(conversations: readonly ConversationSummary[], now: Date): ListLine[] {
  const lines: ListLine[] = [];
  let current: string | null = null;
  for (const conversation of conversations) {
    const title = getDateSpan(conversation.updatedAt, now);
    if (title !== current) lines.push({ kind: 'heading', key: `heading ${title}`, title });
    current = title;
    lines.push(...toLines([conversation]));
  }
  return lines;
}

/** Created on first use, because a collator takes milliseconds to create. */
const collator = once(() => new Intl.Collator('en', { numeric: true }));

function compareNames([one]: [string | null, unknown], [other]: [string | null, unknown]): number {
  return collator().compare(one ?? '', other ?? '');
}

const DAY_MS = 86_400_000;

/** Returns the heading of conversations that were changed at `time`. */
function getDateSpan(time: number, now: Date): string {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const date = new Date(time);
  const day = new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  // Round the difference, because a day can have 23 or 25 hours.
  const daysAgo = Math.round((midnight - day) / DAY_MS);
  if (daysAgo <= 0) return 'Today';
  if (daysAgo === 1) return 'Yesterday';
  if (daysAgo <= 7) return 'Previous 7 days';
  if (daysAgo <= 30) return 'Previous 30 days';
  return date.toLocaleDateString('en-US', { month: 'long', year: 'numeric' });
}
