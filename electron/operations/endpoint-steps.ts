/** Suggests another format, path or key header if the gateway rejects the endpoint of a run. */
import type { AppError } from '../../shared/errors.ts';
import { listFormats } from '../../shared/operations/formats.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { Phase, RunInput } from '../../shared/run.ts';
import type { RunResult } from './run-result.ts';

/** A missing header, as FastAPI reports it, such as `header.x-api-key`. */
const KEY_HEADER = /\bheader\.([\w-]*(?:key|auth)[\w-]*)/i;
const ABOUT_MODEL = /model/i;

interface Asked {
  operation: OperationName;
  phase: Phase;
}

/** Returns results of other requests, such as the polls of a task, unchanged. */
export function suggestEndpoint(result: RunResult, view: Asked, input: RunInput): RunResult {
  if (result.status === 'succeeded') return result;
  if (view.operation === 'console' || view.phase.task !== null) return result;
  const nextStep = findStep(result.error, view, input);
  return nextStep === null ? result : { ...result, error: { ...result.error, nextStep } };
}

function findStep(
  { gateway }: AppError,
  { operation }: Asked,
  { request }: RunInput,
): string | null {
  const message = gateway?.message ?? '';
  const [, header] = KEY_HEADER.exec(message) ?? [];
  if (header !== undefined) {
    return `Set ${header} as key header of this format: edit the connection, Advanced, Formats.`;
  }
  const isPath = gateway?.status === 404 || gateway?.status === 405;
  if (!isPath || ABOUT_MODEL.test(`${gateway?.code ?? ''} ${message}`)) return null;
  const { format = '' } = request;
  const others = listFormats(operation).flatMap(({ name, title }) =>
    name === format ? [] : [title],
  );
  const list = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(others);
  return [
    'Check this connection’s base URL',
    ...(others.length > 0 ? [`try the format ${list}`] : []),
    'or set the path of this format: edit the connection, Advanced, Formats.',
  ].join(', ');
}
