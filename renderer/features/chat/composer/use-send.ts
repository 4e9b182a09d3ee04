import { type RefObject, useState } from 'react';
import type { TreeMessage, WrittenMessage } from '../../../../shared/conversation.ts';
import { addMessage, type ReadyRequest, sendMessage } from '../chat-actions.ts';
import type { ComposerHandle } from './composer.tsx';
import { openToolCalls, splitResults } from './open-tool-calls.ts';
import { forgetResults, tellMissing, typedResults, useToolResults } from './tool-results-store.ts';

interface SendOptions {
  path: readonly TreeMessage[];
  ready: ReadyRequest | null;
  composer: RefObject<ComposerHandle | null>;
}

/** What Run does: the results of open tool calls first, then what stands in the composer. */
export function useSend({ path, ready, composer }: SendOptions) {
  const [composerEmpty, setComposerEmpty] = useState(true);
  const [composerBusy, setComposerBusy] = useState(false);
  const last = path.at(-1);
  const openCalls = openToolCalls(path);
  const nothingToSend =
    composerEmpty && openCalls === null && (last === undefined || last.role === 'assistant');

  async function run(insist = false) {
    if (ready === null || nothingToSend || composerBusy) return;
    // Sending the first message shows another composer: this one is to be emptied.
    const handle = composer.current;
    const message = handle?.read() ?? null;
    const written = resultsToSend(insist);
    if (written === null) return;
    const all = message === null ? written : [...written, message];
    const isSent = await sendMessage(ready, last?.id ?? null, all.at(-1) ?? null, all.slice(0, -1));
    if (!isSent) return;
    if (message !== null) handle?.clear();
    if (openCalls !== null) forgetResults(openCalls.messageId);
  }

  /** Null where calls are left unanswered and that has not been told yet. */
  function resultsToSend(insist: boolean): WrittenMessage[] | null {
    if (openCalls === null) return [];
    const { messageId } = openCalls;
    const { results, missing } = splitResults(
      openCalls,
      typedResults(useToolResults.getState(), messageId),
    );
    if (missing.length === 0 || insist) return results;
    tellMissing(messageId);
    return null;
  }

  async function add() {
    const handle = composer.current;
    const message = handle?.read() ?? null;
    if (message !== null && (await addMessage(last?.id ?? null, message))) handle?.clear();
  }

  return {
    run,
    add,
    openCalls,
    composerEmpty,
    setComposerEmpty,
    setComposerBusy,
    blockedReason: composerBusy
      ? 'Wait until the attachments are there.'
      : nothingToSend
        ? 'Write a message first.'
        : null,
  };
}
