import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { HandOver } from '../../media/hand-over/hand-over.ts';
import type { Form } from './form.ts';

/** Call once the form contains the text. */
export function recordSource(
  form: Form<OperationName>,
  { text, runId }: Extract<HandOver, { kind: 'text' }>,
): void {
  form.change({ source: runId === null ? null : { runId, text: getFirstLine(text) } });
}

/** Returns the source run if `sent` still contains the text's first line; otherwise, null. */
export function getTextRun(form: Form<OperationName>, sent: unknown): string | null {
  const { source } = form.state.getState().values;
  return source !== null && source.text !== '' && hasLine(sent, source.text) ? source.runId : null;
}

function hasLine(value: unknown, line: string): boolean {
  if (typeof value === 'string') {
    return value
      .split('\n')
      .some((own) => own.trim() === line || (line.length >= MIN_LENGTH && own.includes(line)));
  }
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((item) => hasLine(item, line))
  );
}

/** Shorter lines may match another text by chance. */
const MIN_LENGTH = 12;

/** The first line identifies the text, because a document list splits the text by line. */
function getFirstLine(text: string): string {
  return text.trim().split('\n', 1)[0]?.trim().slice(0, 1000) ?? '';
}
