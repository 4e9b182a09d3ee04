/** Runs a command with a time limit that also ends its children. */
import { spawn } from 'node:child_process';

export interface CommandResult {
  /** Null if the time limit or a signal ended the command. */
  code: number | null;
  output: string;
  seconds: number;
  timedOut: boolean;
}

export interface CommandOptions {
  /** True to print the output as it arrives. */
  show?: boolean;
  timeoutSeconds: number;
  environment?: NodeJS.ProcessEnv;
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** How long a command may take to clean up after a stop signal. */
const STOP_SECONDS = 10;

/** Forwards signals that stop this process to the command and its children. */
export function runCommand(
  command: string,
  args: string[],
  { show = false, timeoutSeconds, environment = {} }: CommandOptions,
): Promise<CommandResult> {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
      // Start a process group, so that the time limit also ends browsers and servers that the
      // command started.
      detached: process.platform !== 'win32',
    });
    const timers: NodeJS.Timeout[] = [];
    const killAfter = (seconds: number, before = () => {}): void => {
      const kill = (): void => {
        before();
        endGroup(child.pid, 'SIGKILL');
      };
      timers.push(setTimeout(kill, seconds * 1000));
    };
    const forward = (signal: NodeJS.Signals): void => {
      endGroup(child.pid, signal);
      killAfter(STOP_SECONDS);
    };
    for (const signal of STOP_SIGNALS) process.once(signal, forward);

    let output = '';
    let timedOut = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (show) process.stdout.write(text);
      });
    }
    killAfter(timeoutSeconds, () => {
      timedOut = true;
    });

    const finish = (code: number | null): void => {
      for (const timer of timers) clearTimeout(timer);
      for (const signal of STOP_SIGNALS) process.off(signal, forward);
      resolve({ code, output, seconds: (performance.now() - started) / 1000, timedOut });
    };
    child.once('error', (error) => {
      output += `${error.message}\n`;
      finish(null);
    });
    // `close` would wait for a grandchild that outlives the command and holds its pipes open.
    child.once('exit', (code) => setImmediate(finish, code));
  });
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // The process has already exited.
  }
}
