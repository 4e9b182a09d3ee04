/** Starts an updated AppImage after this process has let go of the data folder. */
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { delimiter, sep } from 'node:path';

/**
 * Returns the path of the AppImage that this program runs from, or undefined if there is none. The
 * variable alone may be that of another program, such as the terminal that started this one.
 */
export function getOwnAppImage(
  environment: NodeJS.ProcessEnv,
  resourcesPath: string,
): string | undefined {
  const { APPDIR, APPIMAGE } = environment;
  return APPDIR !== undefined && resourcesPath.startsWith(APPDIR + sep) ? APPIMAGE : undefined;
}

/**
 * Electron’s `relaunch` starts its helper from the old AppImage, which is unmounted as soon as this
 * process exits, so that the helper may not get as far as starting the new one.
 */
export function startAppImage(
  path: string,
  environment: NodeJS.ProcessEnv,
  log: (line: string) => void,
): void {
  const child = spawn(path, [], {
    detached: true,
    stdio: 'ignore',
    cwd: homedir(),
    env: withoutAppImage(environment),
  });
  child.on('error', (cause) => log(`starting ${path}: ${cause.message}`));
  child.unref();
}

/** Removes what the AppImage's own scripts added, which names the folder where it was mounted. */
export function withoutAppImage(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { APPDIR, APPIMAGE: _, ARGV0: __, OWD: ___, ...others } = environment;
  if (APPDIR === undefined) return others;
  const kept: NodeJS.ProcessEnv = {};
  for (const [name, value = ''] of Object.entries(others)) {
    if (!value.includes(APPDIR)) {
      kept[name] = value;
      continue;
    }
    const rest = value.split(delimiter).filter((part) => !isInside(part, APPDIR));
    if (rest.length > 0) kept[name] = rest.join(delimiter);
  }
  return kept;
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}
