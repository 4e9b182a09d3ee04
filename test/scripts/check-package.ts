/** Runs the self-check of a newly packaged desktop app. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Exit, explainExit } from '../../electron/launch/launch-desktop.ts';
import { hasDisplay, SELF_CHECK_FLAG } from '../../electron/launch/options.ts';

const LIMIT_MS = 60_000;

export interface PackageCheckOptions {
  /** The output folder of electron-builder. */
  output: string;
  platform: NodeJS.Platform;
  arch: string;
  environment: NodeJS.ProcessEnv;
  log: (line: string) => void;
}

/**
 * Runs the self-check and prints its report. Returns false if it failed, and true if it passed or
 * couldn't run.
 */
export async function checkPackage(options: PackageCheckOptions): Promise<boolean> {
  const { environment, log, platform } = options;
  const binary = packagedBinary(options);
  if (binary === null) {
    log('Nothing was packaged for this machine, so its self-check is left out.');
    return true;
  }
  if (!hasDisplay(platform, environment)) {
    log('No display was found, so the self-check of the package is left out.');
    return true;
  }
  const asRoot = platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const child = spawn(binary, [...asRoot, SELF_CHECK_FLAG], {
    env: environment,
    stdio: ['ignore', 'inherit', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = Promise.withResolvers<Pick<Exit, 'code' | 'signal'>>();
  child.once('error', ended.reject);
  child.once('close', (code, signal) => ended.resolve({ code, signal }));
  const exit = await ended.promise;
  if (exit.code === 0) return true;
  const { reason, remedy } = explainExit({ ...exit, stderr, binary });
  log(`The package is built, but its self-check failed: ${reason}.`);
  if (remedy !== null) log(remedy);
  return false;
}

/** Returns the executable that electron-builder unpacked for this machine, or null. */
export function packagedBinary({
  output,
  platform,
  arch,
}: Pick<PackageCheckOptions, 'output' | 'platform' | 'arch'>): string | null {
  const suffix = arch === 'x64' ? '' : `-${arch}`;
  const places: Partial<Record<NodeJS.Platform, string[]>> = {
    linux: [`linux${suffix}-unpacked/gatehouse`],
    win32: [`win${suffix}-unpacked/Gatehouse.exe`],
    darwin: ['mac-universal', `mac${suffix}`].map(
      (folder) => `${folder}/Gatehouse.app/Contents/MacOS/Gatehouse`,
    ),
  };
  const paths = (places[platform] ?? []).map((place) => join(output, place));
  return paths.find((path) => existsSync(path)) ?? null;
}
