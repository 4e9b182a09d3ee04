/** Opens the page in the system browser. */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { hasDisplay } from '../launch/options.ts';

interface OpenCommand {
  command: string;
  args: string[];
}

/** Returns null without a display or a program to open URLs. */
export function openCommand(
  url: string,
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
): OpenCommand | null {
  if (!hasDisplay(platform, environment)) return null;
  switch (platform) {
    case 'darwin':
      return { command: 'open', args: [url] };
    case 'win32':
      return { command: 'rundll32', args: ['url.dll,FileProtocolHandler', url] };
    default: {
      const command = findOnPath('xdg-open', environment.PATH ?? '');
      return command === null ? null : { command, args: [url] };
    }
  }
}

/** Errors are ignored, because the URL is also printed. */
export function openBrowser(url: string): void {
  const found = openCommand(url, process.platform, process.env);
  if (found === null) return;
  spawn(found.command, found.args, {
    stdio: 'ignore',
    detached: true,
  })
    .on('error', () => undefined)
    .unref();
}

function findOnPath(name: string, path: string): string | null {
  const candidates = path.split(delimiter).map((folder) => join(folder, name));
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
