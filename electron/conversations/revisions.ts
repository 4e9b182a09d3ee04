/** Tracks changed messages in each conversation, so that pages receive only the changes. */
import { randomUUID } from 'node:crypto';

interface Journal {
  epoch: string;
  changed: string[];
}

/** Beyond this many changes, the page receives the whole conversation. */
const MAX_LENGTH = 1000;
const MAX_COUNT = 100;

export interface Revisions {
  current(conversationId: string): string;
  /** Returns the IDs of messages changed since the revision, or null for an unknown revision. */
  since(conversationId: string, revision: string): string[] | null;
  /** Records changed messages of a conversation that a page has read. */
  add(conversationId: string, messageIds: readonly string[]): void;
  /** Makes all revisions of the conversation unknown. */
  reset(conversationId: string): void;
}

export function createRevisions(): Revisions {
  const journals = new Map<string, Journal>();

  function getJournal(conversationId: string): Journal {
    const journal = journals.get(conversationId) ?? { epoch: randomUUID(), changed: [] };
    journals.delete(conversationId);
    journals.set(conversationId, journal);
    const [oldest] = journals.keys();
    if (journals.size > MAX_COUNT && oldest !== undefined) journals.delete(oldest);
    return journal;
  }

  return {
    current(conversationId: string): string {
      const { epoch, changed } = getJournal(conversationId);
      return `${epoch}:${changed.length}`;
    },
    since(conversationId: string, revision: string): string[] | null {
      const { epoch, changed } = getJournal(conversationId);
      const [knownEpoch, number] = revision.split(':');
      if (knownEpoch !== epoch) return null;
      return [...new Set(changed.slice(Number(number)))];
    },
    add(conversationId: string, messageIds: readonly string[]): void {
      const journal = journals.get(conversationId);
      journal?.changed.push(...messageIds);
      if ((journal?.changed.length ?? 0) > MAX_LENGTH) journals.delete(conversationId);
    },
    reset: (conversationId: string) => void journals.delete(conversationId),
  };
}
