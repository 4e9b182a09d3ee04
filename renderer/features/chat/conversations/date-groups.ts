import type { ConversationSummary } from '../../../../shared/conversation.ts';

export type ListLine =
  | { kind: 'heading'; title: string }
  | { kind: 'conversation'; conversation: ConversationSummary; index: number };

const DAY_MS = 86_400_000;

/** Adds a heading before each date group. Expects the newest conversation first. */
export function groupByDate(conversations: readonly ConversationSummary[], now: Date): ListLine[] {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const lines: ListLine[] = [];
  let current: string | null = null;
  for (const [index, conversation] of conversations.entries()) {
    const title = getSpan(conversation.updatedAt, today);
    if (title !== current) lines.push({ kind: 'heading', title });
    current = title;
    lines.push({ kind: 'conversation', conversation, index });
  }
  return lines;
}

/** Round the difference, because a day can have 23 or 25 hours. */
function getSpan(time: number, midnight: number): string {
  const date = new Date(time);
  const day = new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const daysAgo = Math.round((midnight - day) / DAY_MS);
  if (daysAgo <= 0) return 'Today';
  if (daysAgo === 1) return 'Yesterday';
  if (daysAgo <= 7) return 'Previous 7 days';
  if (daysAgo <= 30) return 'Previous 30 days';
  return date.toLocaleDateString('en-US', { month: 'long', year: 'numeric' });
}
