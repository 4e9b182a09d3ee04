/** The log of either host, in the data folder: five files of 1 MB at most, the newest first. */
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRedactor } from './gateway/redactor.ts';

const MAX_FILES = 5;
const MAX_BYTES = 1_000_000;
const STARTED = ' started';
const ENDED = 'Gatehouse ended';

export interface LogFile {
  /** At once, so that the last line before a crash is there. */
  write(line: string): void;
  /**
   * Once the data folder is this process's own: says what starts, and whether the one before it ended in order.
   * `title` has the versions.
   */
  begin(title: string): void;
  /** Without it the next start says so. */
  end(): void;
}

export interface LogFileOptions {
  /** The data folder. */
  home: string;
  /** The key of the environment, which no line may show; later ones are taken out by the services. */
  key: string | null;
  now?: () => number;
  mostBytes?: number;
}

export function logPath(home: string): string {
  return join(home, 'logs', 'gatehouse.log');
}

/** A folder or disk that takes nothing is not a reason to fail: whoever logs prints the line as well. */
export function openLogFile(options: LogFileOptions): LogFile {
  const { home, key, now = Date.now, mostBytes = MAX_BYTES } = options;
  const path = logPath(home);
  const redactor = createRedactor(key);
  let size = 0;
  let begun = false;

  function attempt(work: () => void): void {
    try {
      work();
    } catch {
      // Said above.
    }
  }

  function write(line: string): void {
    attempt(() => {
      const entry = `${new Date(now()).toISOString()} ${redactor.text(line)}\n`;
      const bytes = Buffer.byteLength(entry);
      if (size === 0) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      if (size > 0 && size + bytes > mostBytes) rotate(path);
      appendFileSync(path, entry, { mode: 0o600 });
      size = statSync(path).size;
    });
  }

  attempt(() => {
    size = statSync(path).size;
  });
  return {
    write,
    begin(title) {
      if (endsAmidSession(path)) write('Gatehouse did not shut down properly last time');
      write(title + STARTED);
      begun = true;
    },
    end() {
      if (begun) write(ENDED);
      begun = false;
    },
  };
}

function numbered(path: string, number: number): string {
  return number === 0 ? path : path.replace(/\.log$/, `.${number}.log`);
}

/** The oldest is overwritten. */
function rotate(path: string): void {
  for (let number = MAX_FILES - 1; number > 0; number -= 1) {
    if (statSync(numbered(path, number - 1), { throwIfNoEntry: false })) {
      renameSync(numbered(path, number - 1), numbered(path, number));
    }
  }
}

/** A long session fills several files, where its start is some files back, or gone. */
function endsAmidSession(path: string): boolean {
  for (let number = 0; number < MAX_FILES; number += 1) {
    const lines = getLines(numbered(path, number));
    if (lines === null) return false;
    const last = lines.findLast((line) => line.endsWith(STARTED) || line.endsWith(ENDED));
    if (last !== undefined) return last.endsWith(STARTED);
  }
  return true;
}

function getLines(path: string): string[] | null {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return null;
  }
}
