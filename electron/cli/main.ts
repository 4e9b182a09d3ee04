/** Entry point of `npm run gatehouse`, which probes, loads or runs a request without a page. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { UserFacingError } from '../../shared/errors.ts';
import { formatStack } from '../base/uncaught-errors.ts';
import { takeKey, withKey } from '../gateway-key.ts';
import { exitWithParent, onEndSignal } from '../launch/signals.ts';
import { createServices } from '../services.ts';
import { version } from '../version.ts';
import { type CliOutput, describeError, runCommand } from './commands.ts';
import { type CliOptions, parseCliOptions, USAGE, UsageError } from './options.ts';

/** The exit code if a command couldn't run or was stopped. */
const FAILED = 2;

const output: CliOutput = {
  print: (line) => console.log(line),
  tell: (line) => console.error(line),
};

/** Resolves with the exit code. */
async function run(options: CliOptions, key: string | null) {
  const temporary = options.home === null ? mkdtempSync(join(tmpdir(), 'gatehouse-')) : null;
  const stopped = new AbortController();
  const removeListeners = onEndSignal(
    () => stopped.abort(),
    () => process.exit(FAILED),
  );
  try {
    const services = await createServices({
      host: 'browser',
      home: temporary ?? resolve(options.home ?? ''),
      version,
      environment: withKey(process.env, key),
      cipher: null,
      systemProxy: null,
      openExternal: null,
      log: output.tell,
    });
    try {
      await services.recovered;
      const code = await runCommand(options, { services, output, signal: stopped.signal });
      return stopped.signal.aborted ? FAILED : code;
    } finally {
      await services.close();
    }
  } finally {
    removeListeners();
    if (temporary !== null) await rm(temporary, { recursive: true, force: true });
  }
}

function explain(cause: unknown): string {
  if (cause instanceof UsageError) return `${cause.message}\nSee --help.`;
  if (cause instanceof UserFacingError) return describeError(cause.error);
  return formatStack(cause);
}

exitWithParent();
const key = takeKey(process.env);
try {
  const options = parseCliOptions(process.argv.slice(2));
  if (options.command === 'help') console.log(USAGE);
  else process.exitCode = await run(options, key);
} catch (cause) {
  output.tell(explain(cause));
  process.exitCode = FAILED;
}
