/** Opens the desktop from its binary on, fetching that where it is missing. */
import { forgetFailure, recentFailure, rememberFailure } from './download-failure.ts';
import { type ElectronPackage, electronPackage, findElectron } from './electron-binary.ts';
import type { ExitExplanation } from './explain-exit.ts';
import { defaultFetchTimeouts, fetchElectron } from './fetch-electron.ts';
import { defaultLimits, startDesktop } from './start-desktop.ts';

export type DesktopOutcome =
  /** There is no more to do: it has been used and closed, or no host can start. */
  | { state: 'over'; code: number }
  /** The reason is the start of a sentence; another host may do. */
  | ({ state: 'unavailable' } & ExitExplanation);

export interface OpenDesktopOptions {
  root: string;
  environment: NodeJS.ProcessEnv;
  /** The gateway's key; not in `environment`. */
  key: string | null;
  /** The user asked for the desktop: a download that failed today is tried all the same. */
  insists: boolean;
  log: (line: string) => void;
  now: () => number;
}

const TRIED_DAILY =
  'Gatehouse retries the download once a day. To retry now, run npm start -- --desktop.';

export async function openDesktop(options: OpenDesktopOptions): Promise<DesktopOutcome> {
  const { root, environment, key, log } = options;
  const electron = electronPackage(root);
  if (findElectron(electron, environment) === null) {
    const problem = await fetchOnceADay(electron, options);
    if (problem !== null) {
      return unavailable(`Electron could not be downloaded (${problem})`, TRIED_DAILY);
    }
  }
  const binary = findElectron(electron, environment);
  if (binary === null) return unavailable('Electron was downloaded but could not be found');

  const start = await startDesktop({
    binary,
    root,
    environment,
    key,
    platform: process.platform,
    ...defaultLimits,
  });
  switch (start.state) {
    case 'ready':
      return { state: 'over', code: await start.ended };
    case 'already-open':
      log('Gatehouse is already open. Its window is now in front.');
      return { state: 'over', code: 0 };
    case 'cannot-start':
      log(`Gatehouse cannot start: ${start.reason}`);
      return { state: 'over', code: await start.ended };
    case 'interrupted':
      return { state: 'over', code: start.code };
    case 'failed':
      return unavailable(`Electron could not open a window (${start.reason})`, start.remedy);
  }
}

/** As `fetchElectron`; what went wrong less than a day ago is repeated. */
async function fetchOnceADay(
  electron: ElectronPackage,
  { root, environment, insists, log, now }: OpenDesktopOptions,
): Promise<string | null> {
  const { version } = electron;
  const known = insists ? null : recentFailure(root, version, now());
  if (known !== null) return known.reason;
  const reason = await fetchElectron(electron, { environment, log, ...defaultFetchTimeouts });
  if (reason === null) forgetFailure(root);
  else rememberFailure(root, { version, atMs: now(), reason });
  return reason;
}

function unavailable(reason: string, remedy: string | null = null): DesktopOutcome {
  return { state: 'unavailable', reason, remedy };
}
