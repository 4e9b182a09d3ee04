/** Shows the Help menu's dialogs: About, and a self-check with a report to copy. */

import { spawn } from 'node:child_process';
import { clipboard } from 'electron';
import { z } from 'zod';
import { parseJson } from '../../shared/parse-json.ts';
import { SELF_CHECK_FLAG } from '../launch/options.ts';
import { SELF_CHECK_MS } from '../self-check/self-check.ts';
import type { MainWindow } from './main-window.ts';

export interface ProblemReportOptions {
  ask: MainWindow['ask'];
  version: string;
  showLog: () => void;
  checkItself: () => Promise<string>;
}

export async function reportProblem(options: ProblemReportOptions): Promise<void> {
  const answer = await ask(options, {
    message: 'Report a problem',
    detail:
      'Gatehouse runs a self-check and copies a system report to the clipboard. The report contains no keys, conversations or files, and nothing is sent. It takes up to 10 seconds and briefly opens a second window.',
    buttons: ['Copy report', 'Show log file', 'Cancel'],
  });
  if (answer === 'Show log file') options.showLog();
  if (answer !== 'Copy report') return;
  const { text, summary } = await describe(options);
  await clipboard.writeText(text);
  const next = await ask(options, {
    message: 'Report copied',
    detail: `${summary} Paste the report into your message and describe what you did and what happened. Review the log file before you attach it.`,
    buttons: ['OK', 'Show log file'],
  });
  if (next === 'Show log file') options.showLog();
}

interface Question {
  message: string;
  detail: string;
  buttons: string[];
}

async function ask(
  options: Pick<ProblemReportOptions, 'ask'>,
  question: Question,
): Promise<string | undefined> {
  const response = await options.ask({
    type: 'info',
    title: 'Report a Problem',
    ...question,
    defaultId: 0,
    cancelId: Math.max(0, question.buttons.indexOf('Cancel')),
    noLink: true,
  });
  return question.buttons[response];
}

const reportSchema = z.object({
  checks: z.array(z.object({ name: z.string(), ok: z.boolean() })),
});

/** If the self-check doesn't finish in time, that is reported as the problem. */
async function describe({
  version,
  checkItself,
}: Pick<ProblemReportOptions, 'version' | 'checkItself'>): Promise<{
  text: string;
  summary: string;
}> {
  try {
    const text = (await checkItself()).trim();
    const { checks } = reportSchema.parse(parseJson(text));
    const failed = checks.filter(({ ok }) => !ok).map(({ name }) => name);
    const summary = failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join('; ')}.`;
    return { text, summary };
  } catch (cause) {
    const { platform, arch, versions } = process;
    const report = {
      ok: false,
      gatehouse: version,
      host: 'desktop',
      system: `${platform} ${arch}`,
      versions: { electron: versions.electron, chromium: versions.chrome, node: versions.node },
      problem: cause instanceof Error ? cause.message : String(cause),
    };
    return { text: JSON.stringify(report, null, 2), summary: 'The self-check didn’t finish.' };
  }
}

/** Allows for Electron's startup in addition to the self-check. */
const LIMIT_MS = SELF_CHECK_MS + 20_000;
const KEPT_STDERR = 4_000;

export interface SelfProcess {
  execPath: string;
  args: readonly string[];
  limitMs?: number;
}

/** Resolves to standard output; rejects with the exit reason if there was none. */
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
    else reject(new Error(`Exited with ${signal ?? code}. ${stderr}`.trim()));
  });
  return promise;
}

export interface AboutOptions {
  ask: MainWindow['ask'];
  version: string;
  platform: NodeJS.Platform;
  versions: Pick<NodeJS.ProcessVersions, 'electron' | 'chrome' | 'node'>;
}

/** Replaces Electron's About panel, which differs by system and whose text can't be copied. */
export async function showAbout(options: AboutOptions): Promise<void> {
  const { ask, version, platform, versions } = options;
  const message = `Gatehouse ${version}`;
  const detail = [
    `Electron ${versions.electron ?? 'unknown'}`,
    `Chromium ${versions.chrome ?? 'unknown'}`,
    `Node.js ${versions.node}`,
    `${platform} ${process.arch}`,
  ].join('\n');
  const response = await ask({
    type: 'info',
    title: 'About Gatehouse',
    message,
    detail,
    buttons: ['OK', 'Copy'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  if (response === 1) await clipboard.writeText(`${message}\n${detail}`);
}
