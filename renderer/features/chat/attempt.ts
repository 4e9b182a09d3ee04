/** An action of the chat: one at a time, its problem shown, and once more beyond a cap where the user wants that. */
import type { AppError } from '../../../shared/errors.ts';
import { isSameJson } from '../../../shared/json.ts';
import { toAppError } from '../../lib/app-error.ts';
import { conversationForm } from '../../run/form/panel-forms.ts';
import { showInlineNote } from '../../ui/inline-note.ts';
import { dismissProblem, useChat } from './chat-store.ts';

/** `always` goes through while another action is on its way. */
export async function runExclusive(
  action: (beyondCap: boolean) => Promise<unknown>,
  when: 'alone' | 'always' = 'alone',
  beyondCap = false,
): Promise<boolean> {
  if (when === 'alone' && useChat.getState().sending) {
    showInlineNote(document.activeElement ?? document.body, 'Still sending');
    return false;
  }
  const isAlone = when === 'alone';
  if (isAlone) useChat.setState({ sending: true, problem: null, runAnyway: null });
  const problem = await getFailure(() => action(beyondCap));
  if (problem !== null) useChat.setState({ problem, runAnyway: null });
  if (isAlone) useChat.setState({ sending: false });
  if (problem?.kind !== 'beyond-cap') return problem === null;
  return (await isWantedAnyway(problem)) && runExclusive(action, when, true);
}

async function getFailure(action: () => Promise<unknown>): Promise<AppError | null> {
  try {
    await action();
    return null;
  } catch (error) {
    return toAppError(error);
  }
}

/** Asks until the user has answered, does something else, or changes what was to be sent. */
function isWantedAnyway(problem: AppError): Promise<boolean> {
  const { state } = conversationForm(useChat.getState().selectedId);
  const asked = state.getState().values;
  return new Promise((resolve) => {
    const answer = (isWanted: boolean) => {
      for (const stop of listening) stop();
      resolve(isWanted);
    };
    const listening = [
      useChat.subscribe((now) => {
        if (now.problem !== problem) answer(false);
      }),
      state.subscribe(({ values }) => {
        if (!isSameJson(values, asked)) dismissProblem();
      }),
    ];
    useChat.setState({ runAnyway: () => answer(true) });
  });
}
