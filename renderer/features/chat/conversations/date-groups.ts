/** Conversations under the day, or span of days, in which they were last changed. */
import type { ConversationSummary } from '../../../../shared/conversation.ts';

/** A line of the list: a heading, or a conversation with its place among the conversations. */
export type ListLine =
  | { kind: 'heading'; title: string }
  | { kind: 'conversation'; conversation: ConversationSummary; index: number };

const dayMs = 86_400_000;

/** With a heading before each first one of a span; `conversations` come newest first. */
export function linesByDate(conversations: readonly ConversationSummary[], now: Date): ListLine[] {
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

/** `today`: the midnight that it began with. A day of 23 or 25 hours counts as one. */
function getSpan(time: number, today: number): string {
  const date = new Date(time);
  const day = new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const daysAgo = Math.round((today - day) / dayMs);
  if (daysAgo <= 0) return 'Today';
  if (daysAgo === 1) return 'Yesterday';
  if (daysAgo <= 7) return 'Previous 7 days';
  if (daysAgo <= 30) return 'Previous 30 days';
  return date.toLocaleDateString('en-US', { month: 'long', year: 'numeric' });
}
