import { useMemo } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import type { JsonObject } from '../../../shared/json.ts';
import {
  describeOperation,
  type OperationDescription,
} from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { RunInput } from '../../../shared/run.ts';
import type { RunBlock } from '../frame/run-block.ts';
import type { Form } from './form.ts';
import { useDraft } from './parameters.ts';
import { useFormConnection } from './use-connection.ts';
import { useForm, useIsLoaded } from './use-form.ts';
import { useModel } from './use-model.ts';
import {
  type CheckedDraft,
  checkDraft,
  extraBodyPath,
  getRenamedFields,
  withoutFields,
} from './validate-form.ts';

export interface ReadyRun {
  connectionId: string;
  /** Excludes the panel's own fields, such as `prompt`. */
  request: JsonObject;
  extraBody: JsonObject;
  wireNames: RunInput['wireNames'];
}

export interface Readiness {
  description: OperationDescription;
  connection: Connection | null;
  model: string;
  /** Null if the run is blocked; otherwise, stable until the form changes. */
  ready: ReadyRun | null;
  /** Keeps its identity until the form changes. */
  blocked: RunBlock | null;
}

/** Returns the request for a run, or the reason the run is blocked. */
export function useReadyRun(
  form: Form<OperationName>,
  /** Lists fields that the panel validates and sends itself. */
  owned: readonly string[] = none,
): Readiness {
  const description = useMemo(
    () => withoutFields(describeOperation(form.operation), owned),
    [form.operation, owned],
  );
  const isLoaded = useIsLoaded(form);
  const { connection, isPending, isGone } = useFormConnection(form);
  const { model, isListing } = useModel(form);
  const draft = useDraft(form, description);
  const wireNames = useForm(form, (values) => values.wireNames);
  const checked = useMemo(() => checkDraft(description, draft), [description, draft]);
  const blocked = useMemo(() => {
    if (!isLoaded || isPending) {
      return { reason: 'Gatehouse is still loading.', field: null, isLoading: true };
    }
    if (connection !== null && model === '' && isListing) {
      return { reason: 'Models are still loading.', field: 'model', isLoading: true };
    }
    return runBlocker({ form, description, checked, connection, isGone, model });
  }, [form, description, checked, isLoaded, isPending, connection, isGone, model, isListing]);
  const connectionId = blocked === null && connection !== null ? connection.id : null;
  const ready = useMemo(
    () =>
      connectionId !== null && checked.ok
        ? getReady({ connectionId, checked, model, wireNames })
        : null,
    [connectionId, checked, model, wireNames],
  );
  return { description, connection, model, ready, blocked };
}

interface Settled {
  form: Form<OperationName>;
  description: OperationDescription;
  checked: CheckedDraft;
  connection: Connection | null;
  isGone: boolean;
  model: string;
}

/** Returns the first problem; null if the form can run. */
export function runBlocker(settled: Settled): RunBlock | null {
  const { form, description, checked, connection, isGone, model } = settled;
  if (connection === null) {
    const reason = isGone
      ? `${describeMissingConnection(form)} Choose another.`
      : 'Choose a connection first.';
    return { reason, field: 'connection' };
  }
  if (model.trim() === '') return { reason: 'Choose a model first.', field: 'model' };
  return firstProblem(description, checked);
}

interface Checked {
  connectionId: string;
  checked: Extract<CheckedDraft, { ok: true }>;
  model: string;
  wireNames: RunInput['wireNames'];
}

export function getReady({ connectionId, checked, model, wireNames }: Checked): ReadyRun {
  return {
    connectionId,
    request: { ...checked.request, model: model.trim() },
    extraBody: checked.extraBody,
    wireNames: getRenamedFields(wireNames),
  };
}

export function describeMissingConnection({ choosesConnection }: Form<OperationName>): string {
  const whose = choosesConnection === 'of its own' ? 'variant' : 'conversation';
  return `This ${whose}’s connection was deleted.`;
}

const none: readonly string[] = [];

/** Names the first invalid field: "Temperature: Enter a number from 0 to 2." */
function firstProblem(description: OperationDescription, checked: CheckedDraft): RunBlock | null {
  const first = checked.ok ? undefined : checked.errors[0];
  if (first === undefined) return null;
  const field = String(first.path[0]);
  const title =
    field === extraBodyPath
      ? 'Extra body fields'
      : description.fields.find(({ name }) => name === field)?.title;
  return { reason: `${title ?? field}: ${first.message}`, field };
}
