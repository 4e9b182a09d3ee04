/** Folds recorded events into a run's view: what is common to all operations. */
import { assertNever } from './assert-never.ts';
import type { OperationSpec } from './operations/operation.ts';
import type { RunEvent, RunView } from './run.ts';

type FoldOf<State> = Pick<OperationSpec<never, State>, 'fold' | 'figures'>;

/** The view after `event`; pure, `view` is left as it was. */
export function foldRun<State>(
  operation: FoldOf<State>,
  view: RunView<State>,
  event: RunEvent,
): RunView<State> {
  const state = operation.fold(view.state, event);
  const next = { ...view, seq: event.seq, state };
  const at = view.createdAt + event.atMs;
  switch (event.kind) {
    case 'request':
      return { ...next, status: 'running', startedAt: view.startedAt ?? at };
    case 'response':
      return { ...next, httpStatus: event.status };
    case 'chunk':
    case 'body':
    case 'task':
    case 'following':
    case 'media':
    case 'progress':
    case 'exchange-end':
      return next;
    case 'finish':
      return {
        ...next,
        status: 'succeeded',
        finishedAt: at,
        timings: event.timings,
        figures: operation.figures(state),
      };
    case 'error':
      return {
        ...next,
        status: event.status,
        finishedAt: at,
        error: event.error,
        timings: event.timings,
        figures: operation.figures(state),
      };
    default:
      return assertNever(event);
  }
}
