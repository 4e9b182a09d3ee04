/** Logs uncaught errors and shows them on the page; the process keeps running. */
import type { Notice } from '../../shared/contract/system.ts';

export interface UncaughtErrors {
  /** Until this is called, rejections are only logged and exceptions end the process. */
  reportTo(report: (cause: unknown) => void): void;
}

/** Call this once, before anything else can fail. */
export function installErrorHandlers(log: (line: string) => void): UncaughtErrors {
  let report = (cause: unknown) => log(defectLine(cause));
  process.on('unhandledRejection', (cause) => report(cause));
  // Logs an exception before it ends the process.
  const lastWords = (cause: unknown) => log(defectLine(cause));
  process.on('uncaughtExceptionMonitor', lastWords);
  // Ignore a pipe closed by its reader, because that error couldn't be logged.
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
  redact: (text: string) => string;
  warn: (notice: Notice) => void;
}

/** Further errors appear only in the log. */
const MAX_SHOWN = 5;

/** Reports an error without ending other runs. */
export function createDefectReport(options: DefectReportOptions): (cause: unknown) => void {
  const { log, redact, warn } = options;
  const shown = new Set<string>();
  return (cause) => {
    log(redact(defectLine(cause)));
    const line = redact(getFirstLine(cause));
    if (shown.has(line) || shown.size === MAX_SHOWN) return;
    shown.add(line);
    warn({
      id: `defect-${shown.size}`,
      level: 'danger',
      message: `Unexpected error: ${line}`,
      nextStep: 'Your data is saved. If something stops responding, restart Gatehouse.',
    });
  };
}

/** Includes the stack traces of all causes. */
export function formatStack(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const stack = cause.stack ?? String(cause);
  return cause.cause === undefined ? stack : `${stack}\nCaused by: ${formatStack(cause.cause)}`;
}

function defectLine(cause: unknown): string {
  return `Unexpected error: ${formatStack(cause)}`;
}

const MAX_SHOWN_LENGTH = 200;

function getFirstLine(cause: unknown): string {
  const [line = ''] = String(cause).split('\n', 1);
  return line.length > MAX_SHOWN_LENGTH ? `${line.slice(0, MAX_SHOWN_LENGTH)}…` : line;
}
