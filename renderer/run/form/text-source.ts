/** Which run a request's text came from. */
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { HandOver } from '../../media/hand-over/hand-over.ts';
import type { Form } from './form.ts';

/** The form has just received the text. */
export function recordSource(
  form: Form<OperationName>,
  { text, runId }: Extract<HandOver, { kind: 'text' }>,
): void {
  form.change({ source: runId === null ? null : { runId, text: firstLine(text) } });
}

/** The run whose text is in what is sent, as it was received; null if the user has written something else since. */
export function getSourceRun(form: Form<OperationName>, sent: unknown): string | null {
  const { source } = form.state.getState().values;
  return source !== null && source.text !== '' && hasLine(sent, source.text) ? source.runId : null;
}

/** A line of a text in it is this one or, where that is long, has it in it. */
function hasLine(value: unknown, line: string): boolean {
  if (typeof value === 'string') {
    return value
      .split('\n')
      .some((own) => own.trim() === line || (line.length >= shortest && own.includes(line)));
  }
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((item) => hasLine(item, line))
  );
}

/** A shorter one stands in other texts by chance. */
const shortest = 12;

/** Enough to know it by: a list of documents has each line by itself. */
function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]?.trim().slice(0, 1000) ?? '';
}
