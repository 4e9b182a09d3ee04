/** Sends a comparison; many requests only once the user has said so. */
import { create } from 'zustand';
import type { ComparisonPlan } from '../../../shared/comparison.ts';
import { api } from '../../lib/api.ts';

/** As many as anybody would send without a second thought. */
const maxUnasked = 20;

interface SendQuestion {
  formId: string;
  requests: number;
  answer: (send: boolean) => void;
}

/** What `SendQuestionDialog` asks; null if nothing is asked. */
export const useSendQuestion = create<{ question: SendQuestion | null }>(() => ({
  question: null,
}));

export function countRequests({
  variants,
  rows,
  repeats,
}: Pick<ComparisonPlan, 'variants' | 'rows' | 'repeats'>): number {
  return variants.length * rows.length * repeats;
}

/**
 * Returns the comparison's ID; null if the user has decided against it. `notesFrom`: the one with whose labels and
 * reference texts it begins. Throws what main says.
 */
export async function sendComparison(
  formId: string,
  plan: ComparisonPlan,
  beyondCap: boolean,
  notesFrom: string | null = null,
): Promise<string | null> {
  // Beyond a cap, the user was asked before.
  if (!beyondCap && !(await confirmSend(formId, countRequests(plan)))) return null;
  const { id } = await api.comparisons.start({ ...plan, beyondCap, notesFrom });
  return id;
}

/** A question that is asked again takes the place of the one before, which is answered with no. */
export async function confirmSend(formId: string, requests: number): Promise<boolean> {
  if (requests <= maxUnasked) return true;
  useSendQuestion.getState().question?.answer(false);
  return new Promise((resolve) => {
    const answer = (send: boolean) => {
      useSendQuestion.setState({ question: null });
      resolve(send);
    };
    useSendQuestion.setState({ question: { formId, requests, answer } });
  });
}
