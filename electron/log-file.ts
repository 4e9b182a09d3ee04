/** Writes the logs of both hosts to up to five files of 1 MB in the data folder. */
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRedactor } from './redaction/redactor.ts';

const MAX_FILES = 5;
const MAX_BYTES = 1_000_000;
const STARTED = ' started';
const ENDED = 'Gatehouse ended';

export interface LogFileOptions {
  home: string;
  key: string | null;
  now?: () => number;
  maxBytes?: number;
}

export function getLogPath(home: string): string {
  return join(home, 'logs', 'gatehouse.log');
}

export interface LogFile {
  /** Appends a line with the time; ignores a full disk. */
  write(line: string): void;
  /** Logs the start and whether the last session ended cleanly; `title` includes the versions. */
  begin(title: string): void;
  /** Unless this is called, the next start reports a crash. */
  end(): void;
}

/** Ignores a full or read-only disk, because each line is also printed. */
export function openLogFile(options: LogFileOptions): LogFile {
  const { home, key, now = Date.now, maxBytes = MAX_BYTES } = options;
  const path = getLogPath(home);
  const redactor = createRedactor(key);
  let size = 0;
  let begun = false;

  function attempt(work: () => void): void {
    try {
      work();
    } catch {
      // Ignore a full or read-only disk.
    }
  }

  function write(line: string): void {
    attempt(() => {
      const entry = `${new Date(now()).toISOString()} ${redactor.text(line)}\n`;
      const bytes = Buffer.byteLength(entry);
      if (size === 0) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      if (size > 0 && size + bytes > maxBytes) rotate(path);
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
      if (endsAmidSession(path)) write('Gatehouse didn’t exit cleanly last time');
      write(title + STARTED);
      begun = true;
    },
    end() {
      if (begun) write(ENDED);
      begun = false;
    },
  };
}

function getNumberedPath(path: string, number: number): string {
  return number === 0 ? path : path.replace(/\.log$/, `.${number}.log`);
}

function rotate(path: string): void {
  for (let number = MAX_FILES - 1; number > 0; number -= 1) {
    if (statSync(getNumberedPath(path, number - 1), { throwIfNoEntry: false })) {
      renameSync(getNumberedPath(path, number - 1), getNumberedPath(path, number));
    }
  }
}

/** Searches older files too, because the start of a long session may be in one of them. */
function endsAmidSession(path: string): boolean {
  for (let number = 0; number < MAX_FILES; number += 1) {
    const lines = getLines(getNumberedPath(path, number));
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
