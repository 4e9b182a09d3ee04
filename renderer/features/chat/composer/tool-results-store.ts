/** Results of tool calls while they are typed, per answer, across reloads. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { TypedResults } from './open-tool-calls.ts';

type ToolResults = {
  typed: Record<string, TypedResults>;
  /** The answer whose unanswered calls were told: the next press insists. */
  toldId: string | null;
};

export const useToolResults = create<ToolResults>()(
  persist((): ToolResults => ({ typed: {}, toldId: null }), {
    name: 'gatehouse:chat-tool-results',
    partialize: ({ typed }) => ({ typed }),
  }),
);

const none: TypedResults = {};

export function typedResults({ typed }: ToolResults, messageId: string | null): TypedResults {
  return messageId === null ? none : (typed[messageId] ?? none);
}

export function typeResult(messageId: string, key: string, text: string): void {
  useToolResults.setState(({ typed }) => ({
    typed: { ...typed, [messageId]: { ...typed[messageId], [key]: text } },
    toldId: null,
  }));
}

export function tellMissing(messageId: string): void {
  useToolResults.setState({ toldId: messageId });
}

export function forgetResults(messageId: string): void {
  useToolResults.setState(({ typed }) => {
    const { [messageId]: _sent, ...others } = typed;
    return { typed: others, toldId: null };
  });
}
