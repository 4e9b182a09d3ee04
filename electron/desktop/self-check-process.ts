/** A self-check beside the Gatehouse that is open: another process of the same program. */
import { spawn } from 'node:child_process';
import { SELF_CHECK_FLAG } from '../launch/options.ts';
import { SELF_CHECK_MS } from '../self-check/self-check.ts';

/** Electron's own start comes before the self-check's limit. */
const LIMIT_MS = SELF_CHECK_MS + 20_000;
const KEPT_STDERR = 4_000;

export interface SelfProcess {
  execPath: string;
  /** As this process was started. */
  args: readonly string[];
  limitMs?: number;
}

/** What it printed; rejects with how it ended where that is nothing. */
export function runSelfCheckInChildProcess(program: SelfProcess): Promise<string> {
  const { execPath, args, limitMs = LIMIT_MS } = program;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn(execPath, [...args, SELF_CHECK_FLAG], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-KEPT_STDERR);
  });
  child.once('error', reject);
  child.once('close', (code, signal) => {
    if (stdout.trim() !== '') resolve(stdout);
    else reject(new Error(`It ended with ${signal ?? code}. ${stderr}`.trim()));
  });
  return promise;
}
