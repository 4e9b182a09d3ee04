import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Media } from '../../../shared/media.ts';
import { createRecorder, type Recorder, type RecorderState } from './recorder.ts';

export interface RecorderOptions {
  /** Also after it was unmounted while recording: what was recorded is never dropped. */
  onRecorded: (media: Media) => void;
}

export interface UsedRecorder extends RecorderState {
  recorder: Recorder;
}

export function useRecorder({ onRecorded }: RecorderOptions): UsedRecorder {
  const latest = useRef(onRecorded);
  const [recorder] = useState(() => createRecorder((media) => latest.current(media)));
  const state = useStore(recorder.store);
  const isOpen = state.status === 'recording' || state.status === 'paused';

  useEffect(() => {
    latest.current = onRecorded;
  });
  useEffect(() => () => void recorder.stop(), [recorder]);
  useEffect(() => (isOpen ? guardPage(recorder) : undefined), [recorder, isOpen]);

  return { ...state, recorder };
}

/** Whoever leaves is asked; whoever leaves all the same loses nothing that was captured. */
function guardPage(recorder: Recorder): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  window.addEventListener('pagehide', recorder.flush, { signal });
  document.addEventListener('visibilitychange', recorder.flush, { signal });
  // Electron would keep its window open without a word.
  if (location.protocol !== 'app:') {
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
  }
  return () => controller.abort();
}
