/** What nothing caught, in either host: logged with its stack and shown in the page; the process continues. */
import type { Notice } from '../shared/contract/system.ts';

export interface UncaughtErrors {
  /** Where they go from now on. Until then a rejection is only logged, and an exception ends the process. */
  reportTo(report: (cause: unknown) => void): void;
}

/** Called once for each process, before anything else can fail. */
export function installErrorHandlers(log: (line: string) => void): UncaughtErrors {
  let report = (cause: unknown) => log(defectLine(cause));
  process.on('unhandledRejection', (cause) => report(cause));
  // The process ends of it, until someone takes it.
  const lastWords = (cause: unknown) => log(defectLine(cause));
  process.on('uncaughtExceptionMonitor', lastWords);
  // Who reads the log may have stopped reading: an error about it could not be logged either.
  process.stderr.on('error', () => undefined);
  return {
    reportTo(next) {
      report = next;
      process.off('uncaughtExceptionMonitor', lastWords);
      process.on('uncaughtException', (cause) => report(cause));
    },
  };
}

export interface DefectReportOptions {
  log: (line: string) => void;
  /** Takes secrets out of a text. */
  redact: (text: string) => string;
  warn: (notice: Notice) => void;
}

/** What has gone wrong in more ways than these is in the log. */
const MAX_SHOWN = 5;

/** One broken call must not end the runs of the others: it is reported, and they continue. */
export function createDefectReport(options: DefectReportOptions): (cause: unknown) => void {
  const { log, redact, warn } = options;
  const shown = new Set<string>();
  return (cause) => {
    log(redact(defectLine(cause)));
    const line = redact(firstLine(cause));
    if (shown.has(line) || shown.size === MAX_SHOWN) return;
    shown.add(line);
    warn({
      id: `defect-${shown.size}`,
      level: 'danger',
      message: `Gatehouse ran into an unexpected error: ${line}`,
      nextStep: 'Your data is saved. If something stops responding, restart Gatehouse.',
    });
  };
}

/** The stack with that of every cause behind it. */
export function formatStack(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const stack = cause.stack ?? String(cause);
  return cause.cause === undefined ? stack : `${stack}\nCaused by: ${formatStack(cause.cause)}`;
}

function defectLine(cause: unknown): string {
  return `Unexpected error: ${formatStack(cause)}`;
}

const LONGEST_SHOWN = 200;

function firstLine(cause: unknown): string {
  const [line = ''] = String(cause).split('\n', 1);
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}…` : line;
}
