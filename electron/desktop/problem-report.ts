/** What a first user on a new system is asked to send: a self-check of this Gatehouse, copied and never sent by itself. */
import { clipboard } from 'electron';
import { z } from 'zod';
import { parseJson } from '../../shared/parse-json.ts';
import type { MainWindow } from './main-window.ts';

export interface ProblemReportOptions {
  ask: MainWindow['ask'];
  version: string;
  showLog: () => void;
  /** The report of a self-check; rejects with what is known where there is none. */
  checkItself: () => Promise<string>;
}

/** Asks first: a second window opens for a moment. */
export async function reportProblem(options: ProblemReportOptions): Promise<void> {
  const answer = await ask(options, {
    message: 'Report a problem',
    detail:
      'Gatehouse can test itself and copy a report on this system. The report contains no keys, conversations or files, and nothing is sent. The test takes up to 10 seconds and opens a second window for a moment.',
    buttons: ['Copy report', 'Show log file', 'Cancel'],
  });
  if (answer === 'Show log file') options.showLog();
  if (answer !== 'Copy report') return;
  const { text, summary } = await describe(options);
  await clipboard.writeText(text);
  const next = await ask(options, {
    message: 'Report copied',
    detail: `${summary} Paste the report into your message and add what you did and what happened. If you attach the log file, read it first.`,
    buttons: ['OK', 'Show log file'],
  });
  if (next === 'Show log file') options.showLog();
}

interface Question {
  message: string;
  detail: string;
  /** The first one is the default. */
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

/** A self-check that does not come to its end is what there is to report. */
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
      ...{ gatehouse: version, host: 'desktop', system: `${platform} ${arch}` },
      versions: { electron: versions.electron, chromium: versions.chrome, node: versions.node },
      problem: cause instanceof Error ? cause.message : String(cause),
    };
    return { text: JSON.stringify(report, null, 2), summary: 'The test did not finish.' };
  }
}
