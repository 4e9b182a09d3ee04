import type { JsonObject } from '../../../shared/json.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { Form } from '../form/form.ts';
import { type Readiness, useReadyRun } from '../form/use-ready-run.ts';
import { type RunControl, useRunControl } from './use-run-control.ts';

export interface PanelRun extends Omit<RunControl, 'start'>, Readiness {
  /** Adds what the panel owns (`prompt`, `documents`, …) to model and parameters, and starts. */
  start: (own: JsonObject) => Promise<string | null>;
}

/** The run of a form that has a model and parameters. */
export function usePanelRun(form: Form<OperationName>): PanelRun {
  const readiness = useReadyRun(form);
  const control = useRunControl(form);
  const { ready } = readiness;

  async function start(own: JsonObject): Promise<string | null> {
    return ready && control.start({ ...ready, request: { ...ready.request, ...own } });
  }

  return { ...control, ...readiness, start };
}
