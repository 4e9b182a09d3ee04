/** Why Electron ended before its window was there, from its own words, and what helps. */
import { dirname, join } from 'node:path';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
  /** Electron's executable. */
  binary: string;
}

export interface ExitExplanation {
  /** The end of a sentence. */
  reason: string;
  /** A sentence; null if nothing is known to help. */
  remedy: string | null;
}

type Explain = (match: RegExpExecArray, binary: string) => ExitExplanation;

/** Chromium says the same in three ways (electron#42510, electron#41066); only the first names the file. */
const known: [RegExp, Explain][] = [
  [
    /Running as root without --no-sandbox/,
    () => ({
      reason: "Chromium's sandbox does not work for root",
      remedy: 'To use the desktop window, start Gatehouse as another user.',
    }),
  ],
  [/make sure that (.+?) is owned by root/, ([, file = '']) => sandboxBlocked(file)],
  [
    /No usable sandbox|SUID sandbox helper|FATAL:\S*credentials\.cc/,
    (_match, binary) => sandboxBlocked(join(dirname(binary), 'chrome-sandbox')),
  ],
  [
    /error while loading shared libraries: ([\w.+-]+)/,
    ([, library]) => plain(`the library ${library} is missing`),
  ],
  [
    /Missing X server|cannot open display|Unable to open X display|Failed to connect to Wayland/i,
    () => plain('the display could not be opened'),
  ],
  [/GLIBC(?:XX)?_[\d.]+' not found/, () => plain('this system is too old for Electron')],
];

export function explainExit({ code, signal, stderr, binary }: Exit): ExitExplanation {
  for (const [pattern, explain] of known) {
    const match = pattern.exec(stderr);
    if (match) return explain(match, binary);
  }
  const ended = signal === null ? `it exited with code ${code}` : `it was killed by ${signal}`;
  const lines = stderr.split('\n').map((line) => line.trim());
  const last = lines.findLast((line) => line !== '');
  return plain(last === undefined ? ended : `${ended}: ${last.slice(0, 200)}`);
}

function plain(reason: string): ExitExplanation {
  return { reason, remedy: null };
}

/** Ubuntu's AppArmor, for one. Turning the sandbox off is the user's decision, never ours. */
function sandboxBlocked(file: string): ExitExplanation {
  const quoted = `'${file.replaceAll("'", "'\\''")}'`;
  return {
    reason: "this system blocks Chromium's sandbox",
    remedy:
      `To use the desktop window, run sudo chown root:root ${quoted} && sudo chmod 4755 ${quoted}` +
      ' and start Gatehouse again, or install the package that npm run package builds.',
  };
}
