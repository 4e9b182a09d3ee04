import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import { toAppError } from '../../lib/app-error.ts';
import { PageFailure } from '../../lib/page-failure.ts';
import { fileError } from '../uploads/media-filter.ts';
import {
  lostMicrophone,
  microphoneError,
  openMicrophone,
  useRecorderSettings,
} from './microphone.ts';
import { type Recording, startRecording } from './recording.ts';

export interface RecorderState {
  status: 'idle' | 'starting' | 'recording' | 'paused' | 'saving';
  /** Of the recording that goes on, or of the last one. */
  seconds: number;
  error: AppError | null;
  /** The system holds or mutes the microphone. */
  held: boolean;
}

export interface Recorder {
  store: StoreApi<RecorderState>;
  record(): Promise<void>;
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
  flush(): void;
  dismissError(): void;
  /** Levels from 0 to 1, some twenty a second. Answers the end of it. */
  onLevel(listener: (peak: number) => void): () => void;
}

/** One recording at a time, from permission to medium. */
export function createRecorder(onRecorded: (media: Media) => void): Recorder {
  const store = createStore<RecorderState>(() => ({
    ...{ status: 'idle', seconds: 0, error: null, held: false },
  }));
  const listeners = new Set<(peak: number) => void>();
  let recording: Recording | null = null;
  let unwanted = false;
  const set = (fields: Partial<RecorderState>) => store.setState(fields);

  async function open(): Promise<Recording> {
    const { microphoneId, processing } = useRecorderSettings.getState();
    const stream = await openMicrophone(microphoneId, processing);
    const [track] = stream.getAudioTracks();
    track?.addEventListener('ended', () => {
      // Not fired for tracks that are stopped here.
      set({ error: lostMicrophone(track.label) });
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
        set({ error: refusedSlice(message) });
        void stop();
      },
    });
  }

  async function stop(): Promise<void> {
    const ended = recording;
    // It may still wait for the permission.
    unwanted = ended === null;
    if (ended === null) return;
    recording = null;
    set({ status: 'saving' });
    try {
      onRecorded(await ended.finish());
    } catch (error) {
      // What broke it says more than that it could not be saved.
      set({ error: store.getState().error ?? toAppError(error) });
    } finally {
      set({ status: 'idle', held: false });
    }
  }

  return {
    store,
    async record() {
      if (store.getState().status !== 'idle') return;
      set({ status: 'starting', seconds: 0, error: null, held: false });
      unwanted = false;
      try {
        const opened = await open();
        if (unwanted) {
          await opened.discard();
          set({ status: 'idle' });
          return;
        }
        recording = opened;
        set({ status: 'recording' });
      } catch (error) {
        const isOurs = error instanceof PageFailure;
        set({
          status: 'idle',
          error: isOurs ? error.error : microphoneError(error, location.protocol === 'app:'),
        });
      }
    },
    pause() {
      if (store.getState().status !== 'recording') return;
      recording?.pause();
      set({ status: 'paused' });
    },
    resume() {
      if (store.getState().status !== 'paused') return;
      void recording?.resume();
      set({ status: 'recording' });
    },
    stop,
    flush: () => recording?.flush(),
    dismissError: () => set({ error: null }),
    onLevel(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function refusedSlice(detail: string): AppError {
  return fileError(
    'The recording ended: Gatehouse could not take any more of it.',
    'What came until then is kept; record the rest once Gatehouse answers again.',
    detail,
  );
}
