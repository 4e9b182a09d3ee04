/** Checks for updates, but downloads and installs them only at the user's request. */
import type { UpdateState, UpdateStatus } from '../shared/contract/updates.ts';
import { appError, UserFacingError } from '../shared/errors.ts';
import type { ChangeEmitter } from './base/changes.ts';
import type { Timer } from './base/timer.ts';
import type { SettingsStore } from './storage/settings-store.ts';

/** Only the desktop app has an updater; methods reject with a message, or when `signal` aborts. */
export interface Updater {
  /** Returns the newer version in the feed, or null if there is none. */
  check(feedUrl: string, signal: AbortSignal): Promise<string | null>;
  /** Downloads the version found by the last check. */
  download(
    onProgress: (receivedBytes: number, totalBytes: number) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** Quits Gatehouse to install the update; rejects if the installation fails. */
  install(signal: AbortSignal): Promise<void>;
}

export interface UpdatesOptions {
  version: string;
  updater: Updater | string;
  settings: Pick<SettingsStore, 'get'>;
  changes: Pick<ChangeEmitter, 'announce' | 'listen'>;
  countUnfinished: () => number;
  recordingCount: () => number;
  downloadCount: () => number;
  timer: Timer;
  now: () => number;
  log: (line: string) => void;
}

/** Delay before the first check, so that it doesn't slow down startup. */
const FIRST_CHECK_MS = 15_000;
const DAY_MS = 24 * 3_600_000;

/** Failures are part of the status; a step that doesn't fit the status does nothing. */
export interface Updates {
  status(): UpdateStatus;
  /** Starts a check, if a feed is set. */
  check(): void;
  /** Starts to download the available update, or retries the one that failed. */
  download(): void;
  /** Throws a `UserFacingError` while a run, a recording or a download is active. */
  install(): void;
  /** Aborts the current step and cancels the daily check. */
  close(): void;
}

export function createUpdates(options: UpdatesOptions): Updates {
  const { settings, changes, timer, updater, log } = options;
  let feedUrl = settings.get().updateFeedUrl;
  let update: UpdateState = initialState();
  /** Aborted and replaced when the feed changes. */
  let current = new AbortController();
  let stopTimer: () => void = () => undefined;

  function initialState(): UpdateState {
    if (typeof updater === 'string') return { state: 'unavailable', reason: updater };
    return feedUrl === null ? { state: 'off' } : { state: 'unchecked' };
  }

  function show(next: UpdateState): void {
    update = next;
    changes.announce('updates');
  }

  /** Runs one step and shows its result or error, unless a feed change aborted it. */
  async function attempt(
    version: string | null,
    work: (updater: Updater, signal: AbortSignal) => Promise<UpdateState>,
  ): Promise<void> {
    if (typeof updater === 'string') return;
    const { signal } = current;
    try {
      const next = await work(updater, signal);
      if (!signal.aborted) show(next);
    } catch (cause) {
      if (signal.aborted) return;
      const detail = cause instanceof Error ? cause.message : String(cause);
      log(`update: ${detail}`);
      show({ state: 'failed', version, error: createFailure(version, update.state, detail) });
    }
  }

  function check(): void {
    const url = feedUrl;
    const isBusy = ['checking', 'downloading', 'installing'].includes(update.state);
    if (url === null || isBusy || typeof updater === 'string') return;
    scheduleCheck(DAY_MS);
    show({ state: 'checking' });
    void attempt(null, async ({ check: look }, signal) => {
      const version = await look(url, signal);
      return version === null
        ? { state: 'current', checkedAt: options.now() }
        : { state: 'available', version };
    });
  }

  function scheduleCheck(delayMs: number): void {
    stopTimer();
    stopTimer = timer.after(delayMs, () => {
      scheduleCheck(DAY_MS);
      // Keep offering an update that has been downloaded.
      if (update.state !== 'downloaded') check();
    });
  }

  function begin(): void {
    stopTimer();
    current.abort();
    current = new AbortController();
    show(initialState());
    if (update.state === 'unchecked') scheduleCheck(FIRST_CHECK_MS);
  }

  changes.listen(({ topic }) => {
    if (topic !== 'settings' || settings.get().updateFeedUrl === feedUrl) return;
    feedUrl = settings.get().updateFeedUrl;
    begin();
  });
  if (update.state === 'unchecked') scheduleCheck(FIRST_CHECK_MS);

  return {
    status: (): UpdateStatus => ({ currentVersion: options.version, update }),
    check,

    download(): void {
      if (update.state !== 'available' && !(update.state === 'failed' && update.version !== null)) {
        return;
      }
      const { version } = update;
      if (version === null) return;
      show({ state: 'downloading', version, receivedBytes: 0, totalBytes: null });
      void attempt(version, async ({ download }, signal) => {
        await download((receivedBytes, totalBytes) => {
          if (!signal.aborted) show({ state: 'downloading', version, receivedBytes, totalBytes });
        }, signal);
        return { state: 'downloaded', version };
      });
    },

    install(): void {
      if (update.state !== 'downloaded') return;
      const runs = options.countUnfinished();
      if (runs > 0) throw new UserFacingError(createActiveRunsError(runs));
      if (options.recordingCount() > 0) throw new UserFacingError(recordingIsActive);
      if (options.downloadCount() > 0) throw new UserFacingError(downloadIsActive);
      const { version } = update;
      show({ state: 'installing', version });
      void attempt(version, async ({ install }, signal) => {
        await install(signal);
        return { state: 'installing', version };
      });
    },

    close(): void {
      stopTimer();
      current.abort();
    },
  };
}

function createFailure(version: string | null, during: UpdateState['state'], detail: string) {
  if (version === null) {
    return appError(
      'unexpected',
      'Gatehouse couldn’t check for updates.',
      'Check the feed URL and your network, then try again.',
      { detail },
    );
  }
  const failed = during === 'installing' ? 'installed' : 'downloaded';
  return appError(
    'unexpected',
    `Gatehouse ${version} couldn’t be ${failed}.`,
    'Try again, or download it manually.',
    { detail },
  );
}

function createActiveRunsError(count: number) {
  return appError(
    'invalid-request',
    count === 1 ? '1 run is in progress.' : `${count} runs are still in progress.`,
    'Wait until they finish, or stop them. Then install the update.',
  );
}

const recordingIsActive = appError(
  'invalid-request',
  'A recording is in progress.',
  'Stop it, then install the update.',
);

const downloadIsActive = appError(
  'invalid-request',
  'A file is still being saved.',
  'Wait until it is complete, then install the update.',
);
