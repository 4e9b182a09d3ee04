/** Reads the gateway key and clears its variable, which child processes would inherit. */
import { readFileSync } from 'node:fs';

const NAME = 'GATEHOUSE_API_KEY';
/**
 * Passed through stdin, because on Linux Chromium starts a helper process before this code runs.
 */
const PLACE = 'GATEHOUSE_KEY_FROM';
const STDIN = 'stdin';

/** Removes the key from `environment` and returns it, or null if there is none. */
export function takeKey(
  environment: NodeJS.ProcessEnv,
  readStdin: () => string = () => readFileSync(0, 'utf8'),
): string | null {
  const key = environment[PLACE] === STDIN ? readStdin() : environment[NAME];
  delete environment[NAME];
  delete environment[PLACE];
  return key ?? null;
}

/** Returns the environment with the key, where the services read it. */
export function withKey(environment: NodeJS.ProcessEnv, key: string | null): NodeJS.ProcessEnv {
  return key === null ? environment : { ...environment, [NAME]: key };
}

/** Returns an environment that tells the child process to read the key from stdin. */
export function withKeyOnStdin(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...environment, [PLACE]: STDIN };
}
