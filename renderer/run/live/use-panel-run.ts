import type { JsonObject } from '../../../shared/json.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { RunInput } from '../../../shared/run-input.ts';
import { type RunForm, useRunForm } from '../form/use-run-form.ts';
import { type RunControl, useRunControl } from './use-run-control.ts';

export interface PanelRun extends Omit<RunControl, 'start'> {
  form: RunForm;
  /** Adds what the panel owns (`prompt`, `documents`, …) to model and parameters, and starts; `wireNames` as typed. */
  start: (own: JsonObject, wireNames?: RunInput['wireNames']) => Promise<string | null>;
}

/** The run of a panel that has a model and a parameter form. */
export function usePanelRun(operation: OperationName): PanelRun {
  const form = useRunForm(operation);
  const control = useRunControl(operation);

  async function start(
    own: JsonObject,
    wireNames: RunInput['wireNames'] = {},
  ): Promise<string | null> {
    if (form.ready === null) return null;
    return control.start({ ...form.ready, request: { ...form.ready.request, ...own }, wireNames });
  }

  return { ...control, form, start };
}
