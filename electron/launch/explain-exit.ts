/** Says in one line why Electron ended before its window was there. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}

const known: [RegExp, (match: RegExpExecArray) => string][] = [
  [
    /error while loading shared libraries: ([\w.+-]+)/,
    ([, library]) => `this system lacks the library ${library}`,
  ],
  [
    /SUID sandbox helper|No usable sandbox/,
    () => "this system does not let Chromium's sandbox start",
  ],
  [
    /Missing X server|cannot open display|Unable to open X display|Failed to connect to Wayland/i,
    () => 'the display could not be opened',
  ],
  [/GLIBC(?:XX)?_[\d.]+' not found/, () => 'this system is older than Electron needs'],
];

export function explainExit({ code, signal, stderr }: Exit): string {
  for (const [pattern, say] of known) {
    const match = pattern.exec(stderr);
    if (match) return say(match);
  }
  const ended = signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
  const lines = stderr.split('\n').map((line) => line.trim());
  const last = lines.findLast((line) => line !== '');
  return last === undefined ? ended : `${ended}: ${last.slice(0, 200)}`;
}
