/** Runs the services behind the loopback server until a signal ends the process. */
import { homedir } from 'node:os';
import type { Readable } from 'node:stream';
import { UserFacingError } from '../../shared/errors.ts';
import { systemTimer } from '../base/timer.ts';
import { formatStack, installErrorHandlers, type UncaughtErrors } from '../base/uncaught-errors.ts';
import { getDataFolder } from '../data-folder.ts';
import { withKey } from '../gateway-key.ts';
import type { LaunchOptions } from '../launch/options.ts';
import { onEndSignal, SHUTDOWN_TIMEOUT_MESSAGE } from '../launch/signals.ts';
import { openLogFile } from '../log-file.ts';
import { createMediaRoutes } from '../media/routes/media-routes.ts';
import { createRouter } from '../router.ts';
import { CLOSE_LIMIT_MS, createServices, type Services } from '../services.ts';
import { version } from '../version.ts';
import { type HostPage, isAddressInUse, startBrowserHost } from './host.ts';
import { openBrowser } from './open-browser.ts';
import { watchForSleep } from './watch-sleep.ts';

/** Prints only URLs to standard output, one per line; `key` is from the environment. */
export async function serve(
  options: LaunchOptions,
  page: HostPage,
  key: string | null,
): Promise<void> {
  const home = getDataFolder({
    environment: process.env,
    platform: process.platform,
    userHome: homedir(),
  });
  const logFile = openLogFile({ home, key });
  function log(line: string): void {
    console.error(line);
    logFile.write(line);
  }
  const defects = installErrorHandlers(log);
  process.on('exit', () => logFile.end());
  // The reader may have closed the pipe, as in `npm start | head -1`.
  process.stdout.on('error', () => undefined);
  try {
    await start(options, page, { home, key, defects, log });
    logFile.begin(
      `Gatehouse ${version}, Node.js ${process.versions.node}, ${process.platform} ${process.arch},`,
    );
  } catch (error) {
    log(explain(error, options.port));
    // Exit explicitly, because services that have started may keep the process alive.
    process.exit(1);
  }
}

interface Surroundings {
  home: string;
  key: string | null;
  defects: UncaughtErrors;
  log: (line: string) => void;
}

async function start(
  { port, opensBrowser }: LaunchOptions,
  page: HostPage,
  { home, key, defects, log }: Surroundings,
): Promise<void> {
  const services = await createServices({
    host: 'browser',
    home,
    version,
    environment: withKey(process.env, key),
    cipher: null,
    systemProxy: null,
    openExternal: null,
    log,
  });
  defects.reportTo(services.reportDefect);
  const router = createRouter(services);
  const media = createMediaRoutes(services.media, services.log, services.backups);
  const host = await startBrowserHost({ router, media, port, ...page });
  const stopWatching = watchForSleep({
    timer: systemTimer,
    wallClock: () => Date.now(),
    clock: () => performance.now(),
    onWake: services.wake,
  });
  const stopServing = (): void => {
    stopWatching();
    host.close();
  };
  endOnSignal(services, stopServing, log);

  if (host.isSubstitutePort) log(`The default port is in use. Using port ${host.port} instead.`);
  const address = host.createAddress();
  console.log(address);
  if (opensBrowser) openBrowser(address);
  onEnter(process.stdin, () => console.log(host.createAddress()));
}

function explain(error: unknown, port: number | null): string {
  if (error instanceof UserFacingError) return `${error.error.message} ${error.error.nextStep}`;
  if (isAddressInUse(error))
    return `Port ${port} is in use. Choose another with --port, or pass --port 0 for any free port.`;
  return `Gatehouse couldn’t start: ${formatStack(error)}`;
}

function onEnter(input: Readable, listener: () => void): void {
  input.on('data', (chunk: Buffer) => {
    if (chunk.includes('\n') || chunk.includes('\r')) listener();
  });
  input.on('error', () => undefined);
}

function endOnSignal(
  services: Pick<Services, 'close'> & { ledger: Pick<Services['ledger'], 'flush'> },
  stopServing: () => void,
  log: (line: string) => void,
): void {
  const end = (): void => {
    const limit = setTimeout(() => {
      log(SHUTDOWN_TIMEOUT_MESSAGE);
      process.exit(1);
    }, CLOSE_LIMIT_MS);
    const exit = (code: number): void => {
      clearTimeout(limit);
      process.exit(code);
    };
    stopServing();
    // Flush first, because closing may take too long.
    services.ledger.flush();
    services.close().then(
      () => exit(0),
      (error: unknown) => {
        log(`Gatehouse didn’t exit cleanly: ${formatStack(error)}`);
        exit(1);
      },
    );
  };
  onEndSignal(end, () => process.exit(1));
}
