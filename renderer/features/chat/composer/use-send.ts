import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { TreeMessage, WrittenMessage } from '../../../../shared/conversation.ts';
import { conversationForm } from '../../../run/form/panel-forms.ts';
import { panelBlock } from '../../../run/form/run-block.ts';
import { getTextRun } from '../../../run/form/text-source.ts';
import { useForm } from '../../../run/form/use-form.ts';
import { addMessage } from '../chat-actions.ts';
import { useChat } from '../chat-store.ts';
import {
  type ComposerForm,
  clearMessage,
  getMessage,
  isEmpty,
  toMessage,
  useComposerLoaded,
} from './composer-form.ts';
import {
  findOpenToolCallId,
  forgetResults,
  getOpenToolCalls,
  splitResults,
} from './open-tool-calls.ts';
import { getDetailsProblem } from './written-message.ts';

/** Returns the form of the conversation that this send created, or `form` if it created none. */
function getFormAfterSend(form: ComposerForm): ComposerForm {
  const { createdId } = useChat.getState();
  return createdId === null ? form : conversationForm(createdId);
}

/** A new object for each attempt to send without all tool results. */
export interface MissingResults {
  answerId: string | null;
}

/** A null message requests an answer to the last message. Resolves to true once recorded. */
export type Send = (
  message: WrittenMessage | null,
  earlier: WrittenMessage[],
  /** The run whose result begins the message. */
  sourceRunId: string | null,
) => Promise<boolean>;

interface SendOptions {
  form: ComposerForm;
  path: readonly TreeMessage[];
  send: Send | null;
  /** Columns handle their own tool calls. */
  columns: 'none' | 'new' | 'shown';
}

/** Run sends the results of unanswered tool calls, followed by the composer's message. */
export function useSend({ form, path, send, columns }: SendOptions) {
  const isLoaded = useComposerLoaded(form);
  const composerEmpty = useForm(form, ({ input }) => isEmpty(input));
  const problem = useForm(form, ({ input }) => getDetailsProblem(input.role, input));
  const [composerBusy, setComposerBusy] = useState(false);
  const [warned, setWarned] = useState<MissingResults | null>(null);
  const openCalls = useMemo(
    () => (columns === 'none' ? getOpenToolCalls(path) : null),
    [path, columns],
  );
  const last = path.at(-1);
  const lastId = last?.id ?? null;
  const canContinue = columns !== 'shown' && last !== undefined && last.role !== 'assistant';
  const nothingToSend = composerEmpty && openCalls === null && !canContinue;

  async function run(insist: boolean) {
    if (send === null || nothingToSend || composerBusy || !isLoaded || problem !== null) return;
    const input = getMessage(form);
    const message = toMessage(input, findOpenToolCallId(path));
    const results = getResults(insist);
    if (results === null) return;
    const all = message === null ? results : [...results, message];
    const sourceRunId = getTextRun(form, message);
    const isSent = await send(all.at(-1) ?? null, all.slice(0, -1), sourceRunId);
    if (!isSent) return;
    if (message !== null) clearMessage(form, input, getFormAfterSend(form));
    if (openCalls !== null) forgetResults(form, openCalls);
    setWarned(null);
  }

  /** Returns null and shows a warning if results are missing, unless the user confirms. */
  function getResults(insist: boolean): WrittenMessage[] | null {
    if (openCalls === null) return [];
    const { results, missing } = splitResults(openCalls, form.state.getState().values.results);
    if (missing.length === 0 || insist) return results;
    setWarned({ answerId: lastId });
    return null;
  }

  async function add() {
    const input = getMessage(form);
    const message = toMessage(input, findOpenToolCallId(path));
    if (message === null || !(await addMessage(lastId, message))) return;
    clearMessage(form, input, getFormAfterSend(form));
  }

  // Keep the function stable, so that typing doesn't re-render the log.
  const latestRun = useRef(run);
  useLayoutEffect(() => {
    latestRun.current = run;
  });
  const stableRun = useCallback((insist: boolean) => void latestRun.current(insist), []);

  return {
    run: stableRun,
    add: () => void add(),
    openCalls,
    warned: warned !== null && warned.answerId === lastId ? warned : null,
    dismissWarning: useCallback(() => setWarned(null), []),
    addReason: composerEmpty
      ? 'Enter a message first.'
      : columns === 'none'
        ? problem
        : 'Turn off Compare to add a message without running.',
    setComposerBusy,
    blocked:
      panelBlock(isLoaded ? null : 'Gatehouse is still loading.') ??
      panelBlock(composerBusy ? 'Wait for attachments to finish uploading.' : null) ??
      panelBlock(nothingToSend ? 'Enter a message first.' : problem),
  };
}
