import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type ComposerDraft, emptyComposerDraft, saveComposerDraft } from './composer-drafts.ts';

const SAVE_AFTER_MS = 400;

/** Saves once the typing pauses, and when the page or the composer goes away. */
export function useDraftSaving(conversationId: string | null, read: () => ComposerDraft) {
  const latestRead = useRef(read);
  useLayoutEffect(() => {
    latestRead.current = read;
  });
  const [saving] = useState(() => draftSaver(conversationId, () => latestRead.current()));
  useEffect(() => {
    window.addEventListener('pagehide', saving.saveNow);
    return () => window.removeEventListener('pagehide', saving.saveNow);
  }, [saving]);
  // A layout effect ends while the text area is still there to be read.
  useLayoutEffect(() => saving.saveNow, [saving]);
  return saving;
}

function draftSaver(conversationId: string | null, read: () => ComposerDraft) {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const stopWaiting = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const saveNow = () => {
    if (timer === null) return;
    stopWaiting();
    saveComposerDraft(conversationId, read());
  };
  return {
    saveNow,
    saveSoon() {
      stopWaiting();
      timer = setTimeout(saveNow, SAVE_AFTER_MS);
    },
    forget() {
      stopWaiting();
      saveComposerDraft(conversationId, emptyComposerDraft);
    },
  };
}
