import { create } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { assertNever } from '../../../shared/assert-never.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import { toAppError } from '../../lib/app-error.ts';
import { formatTime } from '../../lib/format-quantity.ts';
import { PageError } from '../../lib/page-failure.ts';
import { type PanelActivity, showActivity } from '../../lib/panel-activity.ts';
import type { PanelName } from '../../lib/panels.ts';
import { createMediaError } from '../uploads/media-filter.ts';
import {
  createMicrophoneDisconnectedError,
  openMicrophone,
  toMicrophoneError,
  useRecorderSettings,
  willPrompt,
} from './microphone.ts';
import { type Recording, startRecording } from './recording.ts';

export interface RecorderState {
  status: 'idle' | 'starting' | 'recording' | 'paused' | 'saving';
  /** `prompting` is true while the browser asks for permission. */
  prompting: boolean;
  /** Includes the duration of the current or last recording. */
  seconds: number;
  error: AppError | null;
  /** `held` is true while the system mutes the microphone. */
  held: boolean;
}

const idle: RecorderState = {
  status: 'idle',
  prompting: false,
  seconds: 0,
  error: null,
  held: false,
};

type Receive = (media: Media, target: string) => void;

export interface Recorder {
  store: StoreApi<RecorderState>;
  /** `receive` gets the recording and its current target. */
  record(receive: Receive, target: string): Promise<void>;
  /** Stops waiting for microphone access. */
  cancel(): void;
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
  dismissError(): void;
  /** Clears an earlier recording's error when the user leaves the panel. */
  leave(): void;
  /** Reports levels from 0 to 1 and returns an unsubscribe function. */
  onLevel(listener: (peak: number) => void): () => void;
}

const recorders = new Map<PanelName, Recorder>();

/** Each panel has its own recorder, which continues while another panel is visible. */
export function getRecorder(panel: PanelName): Recorder {
  const known = recorders.get(panel);
  if (known !== undefined) return known;
  const recorder = createRecorder(panel);
  recorders.set(panel, recorder);
  return recorder;
}

function createRecorder(panel: PanelName): Recorder {
  const store = createStore<RecorderState>(() => idle);
  const listeners = new Set<(peak: number) => void>();
  let receive: Receive = () => undefined;
  let recording: Recording | null = null;
  /** Changing the number cancels the previous attempt. */
  let attempt = 0;
  const set = (fields: Partial<RecorderState>) => store.setState(fields);

  let endGuard: (() => void) | null = null;
  store.subscribe((state) => {
    showActivity(panel, getActivity(state));
    const isOpen = state.status === 'recording' || state.status === 'paused';
    if (isOpen) endGuard ??= guardPage(() => recording?.flush());
    else {
      endGuard?.();
      endGuard = null;
    }
  });

  /** Resolves to null if the attempt was canceled. */
  async function open(isWanted: () => boolean): Promise<Recording | null> {
    const { microphoneId, processing } = useRecorderSettings.getState();
    const stream = await openMicrophone(microphoneId, processing);
    if (!isWanted()) {
      for (const opened of stream.getTracks()) opened.stop();
      return null;
    }
    set({ prompting: false });
    const [track] = stream.getAudioTracks();
    track?.addEventListener('ended', () => {
      // The `ended` event doesn't fire for tracks that the page itself stops.
      set({ error: createMicrophoneDisconnectedError(track.label) });
      void stop();
    });
    track?.addEventListener('mute', () => set({ held: true }));
    track?.addEventListener('unmute', () => set({ held: false }));
    return startRecording(stream, {
      onLevel(peak) {
        for (const listener of listeners) listener(peak);
      },
      onSeconds: (seconds) => set({ seconds }),
      onHeld: (held) => set({ held }),
      onRefused(error) {
        const { message } = toAppError(error);
        set({ error: createSaveError(message) });
        void stop();
      },
    });
  }

  function cancel(): void {
    if (store.getState().status !== 'starting') return;
    attempt += 1;
    set(idle);
  }

  async function stop(): Promise<void> {
    const ended = recording;
    if (ended === null) return;
    recording = null;
    set({ status: 'saving' });
    try {
      const media = await ended.finish();
      receive(media, useRecordingTargets.getState()[panel] ?? panel);
    } catch (error) {
      // Keep the first error, because it explains more than later ones.
      set({ error: store.getState().error ?? toAppError(error) });
    } finally {
      set({ status: 'idle', held: false });
    }
  }

  return {
    store,
    async record(deliver, target) {
      if (store.getState().status !== 'idle') return;
      receive = deliver;
      setRecordingTarget(panel, target);
      attempt += 1;
      const mine = attempt;
      const isWanted = () => mine === attempt;
      set({ ...idle, status: 'starting' });
      void willPrompt().then((prompting) => {
        if (isWanted() && store.getState().status === 'starting') set({ prompting });
      });
      try {
        const opened = await open(isWanted);
        if (!isWanted()) {
          await opened?.discard();
          return;
        }
        recording = opened;
        set({ status: 'recording', prompting: false });
      } catch (error) {
        if (!isWanted()) return;
        const isOurs = error instanceof PageError;
        set({
          status: 'idle',
          error: isOurs ? error.error : toMicrophoneError(error),
        });
      }
    },
    cancel,
    pause() {
      if (store.getState().status !== 'recording') return;
      recording?.pause();
      set({ status: 'paused' });
    },
    resume() {
      if (store.getState().status !== 'paused') return;
      recording?.resume();
      set({ status: 'recording' });
    },
    stop,
    dismissError: () => set({ error: null }),
    leave() {
      cancel();
      if (store.getState().status === 'idle') set(idle);
    },
    onLevel(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function getActivity({ status, seconds }: RecorderState): PanelActivity | undefined {
  const time = formatTime(seconds);
  switch (status) {
    case 'recording':
      return { mark: time, description: `Recording ${time}`, live: true };
    case 'paused':
      return { mark: time, description: `Recording paused at ${time}` };
    case 'idle':
    case 'starting':
    case 'saving':
      return undefined;
    default:
      return assertNever(status);
  }
}

/** Asks for confirmation before the page closes, and uploads the captured audio. */
function guardPage(flush: () => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  window.addEventListener('pagehide', flush, { signal });
  document.addEventListener('visibilitychange', flush, { signal });
  // In Electron, this listener would silently keep the window open.
  if (location.protocol !== 'app:') {
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
  }
  return () => controller.abort();
}

function createSaveError(detail: string): AppError {
  return createMediaError(
    'Recording stopped because Gatehouse couldn’t save it.',
    'What you’ve recorded is saved. Start a new recording when Gatehouse responds.',
    detail,
  );
}

/** Remembers which form gets each panel's recording. */
export const useRecordingTargets = create<Partial<Record<PanelName, string>>>(() => ({}));

export function setRecordingTarget(panel: PanelName, target: string): void {
  useRecordingTargets.setState({ [panel]: target });
}

export function moveRecording(panel: PanelName, from: string, to: string): void {
  if (useRecordingTargets.getState()[panel] === from) setRecordingTarget(panel, to);
}
