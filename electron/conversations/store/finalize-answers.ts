/** Copies a finished run's answers to its conversation, retrying if the disk is full. */
import { randomUUID } from 'node:crypto';
import type { TreeMessage } from '../../../shared/conversation.ts';
import { UserFacingError } from '../../../shared/errors.ts';
import {
  type Continued,
  joinContent,
  joinReasoning,
  joinWire,
} from '../../../shared/operations/chat/continuation.ts';
import type { WireMessage } from '../../../shared/operations/chat/message.ts';
import type { Database } from '../../storage/database-access.ts';
import { type FinishedAnswer, insertMessage, readContinued, updateAnswer } from './message-rows.ts';

interface AnswerSettlerOptions {
  db: Database;
  now: () => number;
  onLateAnswers: (conversationId: string, runId: string) => void;
}

export interface AnswerSettler {
  /**
   * Writes the answers that couldn't be written before. Don't call this inside a transaction, which
   * could be rolled back.
   */
  retry(): void;
  /** Writes the answers, or keeps them in memory until the disk can be written. */
  settle(runId: string, answers: FinishedAnswer[]): void;
  /** Returns the message with its answer, if that isn't written yet. */
  overlay<Message extends TreeMessage>(message: Message): Message;
}

export function createAnswerSettler(options: AnswerSettlerOptions): AnswerSettler {
  const { db, now } = options;
  const waiting = new Map<string, FinishedAnswer[]>();

  function write(runId: string, answers: FinishedAnswer[]): string | null {
    const place = db
      .sql(`SELECT conversation_id, parent_id, deleted_at FROM messages WHERE run_id = ?
        ORDER BY deleted_at IS NOT NULL, row LIMIT 1`)
      .get(runId);
    if (place) {
      const conversationId = String(place.conversation_id);
      const parentId = place.parent_id === null ? null : String(place.parent_id);
      for (const answer of answers) {
        if (updateAnswer(db, runId, answer) || wasRemoved(runId, answer.choiceIndex)) continue;
        const fields = {
          toolCallId: null,
          callRecord: null,
          role: 'assistant' as const,
          importedRun: null,
          continued: null,
        };
        const message = { ...answer, ...fields, id: randomUUID(), parentId, runId };
        insertMessage(db, conversationId, message, now());
        db.sql('UPDATE messages SET deleted_at = ? WHERE id = ?').run(
          place.deleted_at ?? null,
          message.id,
        );
      }
      db.sql('UPDATE conversations SET updated_at = ? WHERE id = ?').run(now(), conversationId);
    }
    db.sql('DELETE FROM removed_answers WHERE run_id = ?').run(runId);
    return place ? String(place.conversation_id) : null;
  }

  function wasRemoved(runId: string, choiceIndex: number): boolean {
    const row = db
      .sql('SELECT 1 FROM removed_answers WHERE run_id = ? AND choice_index = ?')
      .get(runId, choiceIndex);
    return row !== undefined;
  }

  function writeAll(settling: string | null): void {
    for (const [runId, answers] of waiting) {
      try {
        const conversationId = db.write(() => write(runId, answers));
        waiting.delete(runId);
        if (conversationId !== null && runId !== settling) {
          options.onLateAnswers(conversationId, runId);
        }
      } catch (cause) {
        if (!(cause instanceof UserFacingError)) throw cause;
        return;
      }
    }
  }

  return {
    retry: () => writeAll(null),
    settle(runId: string, answers: FinishedAnswer[]): void {
      waiting.set(
        runId,
        answers.map((answer) => {
          const { continued, wire } = readContinued(db, runId, answer.choiceIndex);
          return join(answer, continued, wire);
        }),
      );
      writeAll(runId);
    },
    overlay<Message extends TreeMessage>(message: Message): Message {
      const answer = waiting
        .get(message.run?.id ?? '')
        ?.find(({ choiceIndex }) => choiceIndex === message.choiceIndex);
      return answer ? { ...message, ...answer } : message;
    },
  };
}

function join(
  answer: FinishedAnswer,
  continued: Continued | null,
  start: WireMessage | null,
): FinishedAnswer {
  if (continued === null) return answer;
  const { content, wire } = answer;
  return {
    ...answer,
    content: joinContent(continued.content, content),
    reasoning: joinReasoning(continued.reasoning, answer.reasoning),
    commentaryLength: 0,
    wire: wire && joinWire(continued.content, start, wire),
  };
}
