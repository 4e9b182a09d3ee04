/** Reads the gateway's key and removes it from the environment, which child processes inherit. */
import { readFileSync } from 'node:fs';

const NAME = 'GATEHOUSE_API_KEY';
/** On Linux, Chromium's first helper process starts before our code, so the key comes by another way. */
const PLACE = 'GATEHOUSE_KEY_FROM';
const STDIN = 'stdin';

/** Null if there is none. Removes it from `environment`. */
export function takeKey(
  environment: NodeJS.ProcessEnv,
  readStdin: () => string = () => readFileSync(0, 'utf8'),
): string | null {
  const key = environment[PLACE] === STDIN ? readStdin() : environment[NAME];
  delete environment[NAME];
  delete environment[PLACE];
  return key ?? null;
}

/** Adds the key for the services. */
export function withKey(environment: NodeJS.ProcessEnv, key: string | null): NodeJS.ProcessEnv {
  return key === null ? environment : { ...environment, [NAME]: key };
}

/** For a process that reads the key from its standard input. */
export function withKeyOnStdin(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...environment, [PLACE]: STDIN };
}
