/** The gateway's key of the environment: taken out of it before anything else is started, which would inherit it. */
import { readFileSync } from 'node:fs';

const NAME = 'GATEHOUSE_API_KEY';
/** Says where it is instead. Chromium's first helper process on Linux is started before main's own code. */
const PLACE = 'GATEHOUSE_KEY_FROM';
const STDIN = 'stdin';

/** Null if there is none. `environment` is the process's own; it has none afterwards. */
export function takeKey(
  environment: NodeJS.ProcessEnv,
  readStdin: () => string = () => readFileSync(0, 'utf8'),
): string | null {
  const key = environment[PLACE] === STDIN ? readStdin() : environment[NAME];
  delete environment[NAME];
  delete environment[PLACE];
  return key ?? null;
}

/** For the services, which make a connection of it. */
export function withKey(environment: NodeJS.ProcessEnv, key: string | null): NodeJS.ProcessEnv {
  return key === null ? environment : { ...environment, [NAME]: key };
}

/** For a process that takes the key from its standard input, once it has been written there. */
export function withKeyOnStdin(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...environment, [PLACE]: STDIN };
}
