import { useMemo } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import {
  describeOperation,
  type OperationDescription,
} from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { Form } from './form.ts';
import { type ReadyRun, resolveForm } from './resolve-form.ts';
import type { RunBlock } from './run-block.ts';
import { useFormConnection } from './use-connection.ts';
import { useForm, useIsLoaded } from './use-form.ts';
import { useModel } from './use-model.ts';
import { withoutFields } from './validate-form.ts';

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
  const { operation, choosesConnection } = form;
  const description = useMemo(
    () => withoutFields(describeOperation(operation), owned),
    [operation, owned],
  );
  const isLoaded = useIsLoaded(form);
  const { connection, isPending, isGone } = useFormConnection(form);
  const { model, isListing } = useModel(form);
  const params = useForm(form, (values) => values.params);
  const extraBody = useForm(form, (values) => values.extraBody);
  const connectionId = connection?.id ?? null;
  const resolved = useMemo(
    () =>
      resolveForm(
        { params, extraBody },
        { description, connectionId, isGone, model, choosesConnection },
      ),
    [params, extraBody, description, connectionId, isGone, model, choosesConnection],
  );
  const loading =
    !isLoaded || isPending
      ? loadingForm
      : connection !== null && model === '' && isListing
        ? loadingModels
        : null;
  const { ready, blocked } = loading === null ? resolved : { ready: null, blocked: loading };
  return { description, connection, model, ready, blocked };
}

const none: readonly string[] = [];

const loadingForm = { reason: 'Gatehouse is still loading.', field: null, isLoading: true };
const loadingModels = { reason: 'Models are still loading.', field: 'model', isLoading: true };
