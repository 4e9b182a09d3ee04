/** Acts on the screen as a user does, with xdotool, and takes pictures of it, on X11 only. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Screen {
  /** Waits for a visible window with this title and returns its number. */
  findWindow(title: RegExp): Promise<string>;
  /** Waits until no visible window has this title. */
  waitUntilGone(title: RegExp): Promise<void>;
  getBounds(window: string): Bounds;
  place(window: string, bounds: Bounds): Promise<void>;
  /** Presses keys such as `ctrl+q` in the window that has the focus. */
  press(...keys: string[]): Promise<void>;
  /** Saves a picture of the whole screen, if there is a folder for them. */
  takePicture(name: string): void;
  close(): void;
}

/** Allows for the system's animations and for a busy machine. */
const WAIT_MS = 30_000;
const SETTLED_MS = 700;

/** Returns null if there is no X11 screen, or no xdotool to act on it. */
export function openScreen(pictures: string | null): Screen | null {
  if (process.env.DISPLAY === undefined || !canRun('xdotool', ['version'])) return null;
  // Without a window manager no window gets the focus. It ends by itself if there is one already.
  const manager = canRun('openbox', ['--version']) ? spawn('openbox', { stdio: 'ignore' }) : null;
  if (pictures !== null) mkdirSync(pictures, { recursive: true });

  function search(title: RegExp): string | null {
    const found = run('xdotool', ['search', '--onlyvisible', '--name', title.source]);
    return found.split('\n').at(-1) || null;
  }

  async function waitFor<Value>(read: () => Value | null, what: string): Promise<Value> {
    const end = performance.now() + WAIT_MS;
    for (;;) {
      const value = read();
      if (value !== null) return value;
      if (performance.now() > end) throw new Error(`${what} within ${WAIT_MS / 1000} s`);
      await pause(100);
    }
  }

  return {
    findWindow: (title) => waitFor(() => search(title), `No window ${title}`),
    async waitUntilGone(title) {
      await waitFor(
        () => (search(title) === null ? true : null),
        `The window ${title} didn’t close`,
      );
    },
    getBounds(window) {
      const text = run('xdotool', ['getwindowgeometry', '--shell', window]);
      const read = (name: string) => Number(new RegExp(`^${name}=(-?\\d+)$`, 'm').exec(text)?.[1]);
      return { x: read('X'), y: read('Y'), width: read('WIDTH'), height: read('HEIGHT') };
    },
    async place(window, { x, y, width, height }) {
      run('xdotool', ['windowsize', window, String(width), String(height)]);
      run('xdotool', ['windowmove', window, String(x), String(y)]);
      await pause(SETTLED_MS);
    },
    async press(...keys) {
      await pause(SETTLED_MS);
      run('xdotool', ['key', '--clearmodifiers', ...keys]);
      await pause(SETTLED_MS);
    },
    takePicture(name) {
      if (pictures !== null) run('import', ['-window', 'root', join(pictures, `${name}.png`)]);
    },
    close: () => void manager?.kill(),
  };
}

function canRun(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** xdotool exits with 1 if it finds nothing. */
function run(command: string, args: string[]): string {
  try {
    return execFileSync(command, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}
