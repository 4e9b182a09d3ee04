/** Implements `npm start`: builds if needed, then opens the desktop app or the browser version. */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { takeKey, withKey } from './gateway-key.ts';
import { buildIfNeeded } from './launch/build.ts';
import { checkDesktop, openDesktop } from './launch/open-desktop.ts';
import { chooseHost, parseOptions, usage } from './launch/options.ts';
import { exitWithParent } from './launch/signals.ts';

const root = dirname(import.meta.dirname);
const key = takeKey(process.env);

const log = (line: string): void => console.error(line);

async function launch(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (typeof options === 'string') {
    log(`${options}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  await buildIfNeeded(root, log);

  const choice = chooseHost(options.host, process.platform, process.env);
  let { reason } = choice;
  let remedy: string | null = null;
  if (choice.host === 'desktop') {
    const given = { root, environment: process.env, log };
    const outcome = options.checksItself
      ? await checkDesktop(given)
      : await openDesktop({ ...given, key, insists: options.host === 'desktop', now: Date.now });
    if (outcome.state === 'over') {
      process.exitCode = outcome.code;
      return;
    }
    ({ reason, remedy } = outcome);
  }
  const instead = options.checksItself
    ? 'testing the browser version instead'
    : 'opening in your browser instead';
  if (reason !== null) log(`${reason}, so ${instead}.`);
  if (remedy !== null) log(remedy);
  // Run the host in this process, so that it receives signals and uses the terminal.
  Object.assign(process.env, withKey({}, key));
  await import(pathToFileURL(join(root, '.out', 'main', 'browser.js')).href);
}

exitWithParent();
try {
  await launch();
} catch (error) {
  log(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
