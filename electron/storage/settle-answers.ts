/** Copies a finished run's answers into the conversation; waits where the disk is full. */
import { randomUUID } from 'node:crypto';
import type { TreeMessage } from '../../shared/conversation.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Database } from './database-access.ts';
import { type FinishedAnswer, insertMessage, updateAnswer } from './message-rows.ts';

export interface AnswerSettler {
  settle(runId: string, answers: FinishedAnswer[]): void;
  /** Tries again what could not be written. Not inside a transaction, which could undo it. */
  retry(): void;
  /** The message with the answer that still waits to be written, if there is one. */
  overlay(message: TreeMessage): TreeMessage;
}

export function createAnswerSettler(db: Database, now: () => number): AnswerSettler {
  const waiting = new Map<string, FinishedAnswer[]>();

  function write(runId: string, answers: FinishedAnswer[]): void {
    const place = db
      .sql(`SELECT conversation_id, parent_id, deletion FROM messages WHERE run_id = ?
        ORDER BY deletion IS NOT NULL, row LIMIT 1`)
      .get(runId);
    if (place) {
      const conversationId = String(place.conversation_id);
      const parentId = place.parent_id === null ? null : String(place.parent_id);
      for (const answer of answers) {
        if (updateAnswer(db, runId, answer) || wasRemoved(runId, answer.choiceIndex)) continue;
        const fields = { toolCallId: null, role: 'assistant' as const };
        const message = { ...answer, ...fields, id: randomUUID(), parentId, runId };
        insertMessage(db, conversationId, message, now());
        db.sql('UPDATE messages SET deletion = ? WHERE id = ?').run(
          place.deletion ?? null,
          message.id,
        );
      }
      db.sql('UPDATE conversations SET updated_at = ? WHERE id = ?').run(now(), conversationId);
    }
    db.sql('DELETE FROM removed_answers WHERE run_id = ?').run(runId);
  }

  function wasRemoved(runId: string, choiceIndex: number): boolean {
    const row = db
      .sql('SELECT 1 FROM removed_answers WHERE run_id = ? AND choice_index = ?')
      .get(runId, choiceIndex);
    return row !== undefined;
  }

  function retry(): void {
    for (const [runId, answers] of waiting) {
      try {
        db.write(() => write(runId, answers));
        waiting.delete(runId);
      } catch (cause) {
        if (!(cause instanceof AppFailure)) throw cause;
        return;
      }
    }
  }

  return {
    retry,
    settle(runId, answers) {
      waiting.set(runId, answers);
      retry();
    },
    overlay(message) {
      const answer = waiting
        .get(message.run?.id ?? '')
        ?.find(({ choiceIndex }) => choiceIndex === message.choiceIndex);
      return answer ? { ...message, ...answer } : message;
    },
  };
}
