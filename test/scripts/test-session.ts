/** Gives a test run its own temporary folder, and removes it with all processes of the run at the end. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../fixtures/remove-folder.ts';

/** Marks every process that the run starts, because children inherit it. */
const MARK = 'GATEHOUSE_TEST_RUN';

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type StopSignal = keyof typeof exitCodes;

export interface TestSession {
  /** The signal that asked the run to stop, or null. The caller starts nothing after it. */
  readonly stoppedBy: StopSignal | null;
  /** Ends what is left of the run, removes its folder and returns the exit code of a stopped run. */
  close(): number | null;
}

/** Changes the environment of this process, which the run's commands inherit. */
export function openTestSession(): TestSession {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  const mark = `${process.env[MARK] ?? ''}${process.pid}/`;
  process.env[MARK] = mark;
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;

  let stoppedBy: StopSignal | null = null;
  const stop = (signal: NodeJS.Signals): void => {
    stoppedBy ??= signal as StopSignal;
  };
  for (const signal of Object.keys(exitCodes)) process.on(signal, stop);

  return {
    get stoppedBy() {
      return stoppedBy;
    },
    close() {
      for (const pid of listMarked(mark)) kill(pid);
      removeFolder(folder);
      return stoppedBy && exitCodes[stoppedBy];
    },
  };
}

/** Lists the processes that inherited `mark`, except this one. Only Linux shows environments. */
function listMarked(mark: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && readMark(pid)?.startsWith(mark));
}

function readMark(pid: number): string | undefined {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return variables.find((variable) => variable.startsWith(`${MARK}=`))?.slice(MARK.length + 1);
  } catch {
    // The process has exited, or belongs to another user.
    return undefined;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has exited.
  }
}
