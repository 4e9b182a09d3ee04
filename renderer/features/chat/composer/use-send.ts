import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { TreeMessage, WrittenMessage } from '../../../../shared/conversation.ts';
import { conversationForm } from '../../../run/form/panel-forms.ts';
import { getSourceRun } from '../../../run/form/text-source.ts';
import { useForm } from '../../../run/form/use-form.ts';
import { panelBlock } from '../../../run/frame/run-block.ts';
import { addMessage } from '../chat-actions.ts';
import { useChat } from '../chat-store.ts';
import { openToolCallId } from '../conversations/use-conversation.ts';
import {
  type ComposerForm,
  emptyMessage,
  isEmpty,
  messageIn,
  toMessage,
  useComposerLoaded,
} from './composer-form.ts';
import { detailsProblem } from './message-details.ts';
import { forgetResults, openToolCalls, splitResults } from './open-tool-calls.ts';

/** The first message of a conversation leaves the form that began it. */
function formAfter(form: ComposerForm): ComposerForm {
  const { createdId } = useChat.getState();
  return createdId === null ? form : conversationForm(createdId);
}

/** That calls without a result are pointed out; another object for every refusal. */
export interface MissingResults {
  /** The answer that made the calls. */
  answerId: string | null;
}

/** Sends behind the last message, or asks for an answer to it where `message` is null. True when main has recorded it. */
export type Send = (
  message: WrittenMessage | null,
  earlier: WrittenMessage[],
  /** The run with whose result the message begins. */
  sourceRunId: string | null,
) => Promise<boolean>;

interface SendOptions {
  form: ComposerForm;
  path: readonly TreeMessage[];
  /** Null while nothing can be sent. */
  send: Send | null;
  /** Whether it goes to several columns, each of which has tool calls of its own; `shown`: they are there already. */
  columns: 'none' | 'new' | 'shown';
}

/** What Run does: the results of open tool calls first, then what is written in the composer. */
export function useSend({ form, path, send, columns }: SendOptions) {
  const isLoaded = useComposerLoaded(form);
  const composerEmpty = useForm(form, ({ input }) => isEmpty(input));
  const problem = useForm(form, ({ input }) => detailsProblem(input.role, input));
  const [composerBusy, setComposerBusy] = useState(false);
  const [warned, setWarned] = useState<MissingResults | null>(null);
  const openCalls = useMemo(
    () => (columns === 'none' ? openToolCalls(path) : null),
    [path, columns],
  );
  const last = path.at(-1);
  const lastId = last?.id ?? null;
  const canContinue = columns !== 'shown' && last !== undefined && last.role !== 'assistant';
  const nothingToSend = composerEmpty && openCalls === null && !canContinue;

  async function run(insist: boolean) {
    if (send === null || nothingToSend || composerBusy || !isLoaded || problem !== null) return;
    // Sending the first message shows another form: this one is to be emptied.
    const input = messageIn(form);
    const message = toMessage(input, openToolCallId(path));
    const written = resultsToSend(insist);
    if (written === null) return;
    const all = message === null ? written : [...written, message];
    const sourceRunId = getSourceRun(form, message);
    const isSent = await send(all.at(-1) ?? null, all.slice(0, -1), sourceRunId);
    if (!isSent) return;
    if (message !== null) emptyMessage(form, input, formAfter(form));
    if (openCalls !== null) forgetResults(form, openCalls);
    setWarned(null);
  }

  /** Null if calls have no result, which is pointed out. */
  function resultsToSend(insist: boolean): WrittenMessage[] | null {
    if (openCalls === null) return [];
    const { results, missing } = splitResults(openCalls, form.state.getState().values.results);
    if (missing.length === 0 || insist) return results;
    setWarned({ answerId: lastId });
    return null;
  }

  async function add() {
    const input = messageIn(form);
    const message = toMessage(input, openToolCallId(path));
    if (message === null || !(await addMessage(lastId, message))) return;
    emptyMessage(form, input, formAfter(form));
  }

  // A stable function, so that the log with the results does not render again while the user types.
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
    /** Why what is written cannot be added. */
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
