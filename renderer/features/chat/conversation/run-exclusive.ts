import type { AppError } from '../../../../shared/errors.ts';
import { isSameJson } from '../../../../shared/json.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { getConversationForm } from '../../../run/form/panel-forms.ts';
import { showInlineNote } from '../../../ui/inline-note.ts';
import { dismissProblem, useChat } from './chat-store.ts';

/**
 * Runs one chat action at a time unless `when` is `always`. Offers to exceed the daily cap, or to
 * run again once the user enters a missing key.
 */
export async function runExclusive(
  action: (overCap: boolean) => Promise<unknown>,
  when: 'alone' | 'always' = 'alone',
  overCap = false,
): Promise<boolean> {
  const isAlone = when === 'alone';
  if (isAlone && useChat.getState().sending) {
    showInlineNote(document.activeElement ?? document.body, 'Sending…');
    return false;
  }
  if (isAlone) useChat.setState({ sending: true, problem: null, runAnyway: null });
  const problem = await catchError(() => action(overCap));
  if (problem !== null) useChat.setState({ problem, runAnyway: null });
  if (isAlone) useChat.setState({ sending: false });
  if (problem?.kind !== 'beyond-cap' && problem?.kind !== 'key-needed') return problem === null;
  const isOverCap = overCap || problem.kind === 'beyond-cap';
  return (await waitForAnswer(problem)) && runExclusive(action, when, isOverCap);
}

async function catchError(action: () => Promise<unknown>): Promise<AppError | null> {
  try {
    await action();
    return null;
  } catch (error) {
    return toAppError(error);
  }
}

/** Resolves to false if the user does something else or changes the form. */
function waitForAnswer(problem: AppError): Promise<boolean> {
  const { state } = getConversationForm(useChat.getState().selectedId);
  const before = state.getState().values;
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      for (const stop of subscriptions) stop();
      resolve(isConfirmed);
    };
    const subscriptions = [
      useChat.subscribe((now) => {
        if (now.problem !== problem) answer(false);
      }),
      state.subscribe(({ values }) => {
        if (!isSameJson(values, before)) dismissProblem();
      }),
    ];
    useChat.setState({ runAnyway: () => answer(true) });
  });
}
