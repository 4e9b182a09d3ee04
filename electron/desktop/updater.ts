/** Downloads and installs updates of the packaged app with electron-updater. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AppUpdater, ProgressInfo, UpdateCheckResult } from 'electron-updater';
import type { Updater } from '../updates.ts';
import { getOwnAppImage } from './relaunch-app-image.ts';

export interface UpdaterLibrary
  extends Pick<
    AppUpdater,
    | 'allowDowngrade'
    | 'autoDownload'
    | 'autoInstallOnAppQuit'
    | 'checkForUpdates'
    | 'disableWebInstaller'
    | 'downloadUpdate'
    | 'logger'
    | 'quitAndInstall'
    | 'requestHeaders'
    | 'setFeedURL'
  > {
  on(event: 'download-progress', listener: (progress: ProgressInfo) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'appimage-filename-updated', listener: (path: string) => void): unknown;
  off(event: 'download-progress', listener: (progress: ProgressInfo) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'appimage-filename-updated', listener: (path: string) => void): unknown;
}

export interface UpdaterOptions {
  isPackaged: boolean;
  platform: NodeJS.Platform;
  environment: NodeJS.ProcessEnv;
  resourcesPath: string;
  /** Starts this AppImage after the app has quit. */
  relaunch: (appImage: string) => void;
  log: (line: string) => void;
  load?: () => Promise<UpdaterLibrary>;
}

/** Returns a sentence that explains why this copy can't update, or null if it can. */
export function createUpdater(options: UpdaterOptions): Updater | string {
  if (!options.isPackaged) return 'This is a development build. Update it with Git.';
  if (options.platform === 'linux' && !isInstalled(options)) {
    return 'Only the AppImage and the deb package can update themselves.';
  }
  const library = once(async () => {
    const loaded = await (options.load ?? loadLibrary)();
    configure(loaded, options.log);
    return loaded;
  });
  let found: UpdateCheckResult | null = null;
  let last: Promise<unknown> = Promise.resolve();

  /** Serializes steps, because the library would merge concurrent ones even for different feeds. */
  function inTurn<Result>(
    signal: AbortSignal,
    work: (updater: UpdaterLibrary) => Promise<Result>,
  ): Promise<Result> {
    const result = last.then(async () => {
      signal.throwIfAborted();
      const updater = await library();
      signal.throwIfAborted();
      return work(updater);
    });
    last = result.catch(() => undefined);
    return result;
  }

  return {
    check: (feedUrl, signal) =>
      inTurn(signal, async (updater) => {
        updater.setFeedURL({ provider: 'generic', url: feedUrl });
        found = await updater.checkForUpdates();
        if (found === null) throw new Error('This copy of Gatehouse can’t update itself.');
        return found.isUpdateAvailable ? found.updateInfo.version : null;
      }),

    download: (onProgress, signal) =>
      inTurn(signal, async (updater) => {
        const token = found?.cancellationToken;
        const onAbort = () => token?.cancel();
        const onEvent = ({ transferred, total }: ProgressInfo) => onProgress(transferred, total);
        signal.addEventListener('abort', onAbort);
        updater.on('download-progress', onEvent);
        try {
          await updater.downloadUpdate(token);
        } finally {
          updater.off('download-progress', onEvent);
          signal.removeEventListener('abort', onAbort);
        }
      }),

    install: (signal) => inTurn(signal, (updater) => replaceInstallation(updater, options, signal)),
  };
}

/** Settles only on failure or abort, because success quits Gatehouse. */
async function replaceInstallation(
  updater: UpdaterLibrary,
  { environment, resourcesPath, relaunch }: UpdaterOptions,
  signal: AbortSignal,
): Promise<void> {
  let appImage = getOwnAppImage(environment, resourcesPath);
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  // The file name contains the version.
  const onRenamed = (path: string) => {
    appImage = path;
  };
  updater.on('appimage-filename-updated', onRenamed);
  // The library reports failures only through this event.
  updater.on('error', reject);
  signal.addEventListener('abort', onAbort);
  try {
    // Restart manually, because the library would start the AppImage while the folder is still
    // locked.
    updater.quitAndInstall(true, appImage === undefined);
    // Rejects if the installation has already failed.
    await Promise.race([failed, Promise.resolve()]);
    if (appImage !== undefined) relaunch(appImage);
    await failed;
  } finally {
    updater.off('appimage-filename-updated', onRenamed);
    updater.off('error', reject);
    signal.removeEventListener('abort', onAbort);
  }
}

async function loadLibrary(): Promise<UpdaterLibrary> {
  return (await import('electron-updater')).autoUpdater;
}

/** electron-builder writes the package type to a file next to the archive. */
function isInstalled({ environment, resourcesPath }: UpdaterOptions): boolean {
  const appImage = getOwnAppImage(environment, resourcesPath);
  return appImage !== undefined || existsSync(join(resourcesPath, 'package-type'));
}

function configure(updater: UpdaterLibrary, log: (line: string) => void): void {
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  // The files of the web installer aren't signed.
  updater.disableWebInstaller = true;
  // Otherwise, every installation would send a unique ID.
  updater.requestHeaders = { 'x-user-staging-id': 'none' };
  const silent = () => undefined;
  const line = (message?: unknown) => log(`electron-updater: ${String(message)}`);
  updater.logger = { info: silent, debug: silent, warn: line, error: line };
}

function once<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | null = null;
  return () => {
    created ??= create();
    return created;
  };
}
