import { useMemo } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { OperationDescription } from '../../../shared/operations/form/description.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { RunInput } from '../../../shared/run-input.ts';
import { type CheckedDraft, checkDraft, extraBodyPath, renamedFields } from './check-draft.ts';
import { useOperation, withoutFields } from './describe.ts';
import type { Form } from './form.ts';
import { useDraft } from './parameters.ts';
import { useConnection } from './use-connection.ts';
import { useForm, useIsLoaded } from './use-form.ts';
import { useModel } from './use-model.ts';

export interface ReadyRun {
  connectionId: string;
  /** The model and the set fields; the panel adds what it owns, such as `prompt`. */
  request: JsonObject;
  extraBody: JsonObject;
  wireNames: RunInput['wireNames'];
}

export interface Readiness {
  description: OperationDescription | null;
  connection: Connection | null;
  model: string;
  /** Null while something blocks the run; the same object until something changes. */
  ready: ReadyRun | null;
  /** What blocks the run, in one sentence. */
  blockedReason: string | null;
  /** The field to fix, as `showField` finds it; null where it is none of these. */
  blockedField: string | null;
}

/** All that a panel needs before it starts a run: connection, model and checked parameters. */
export function useReadyRun(
  form: Form<OperationName>,
  /** Fields that the panel sets itself: neither checked nor sent from here. */
  owned: readonly string[] = none,
): Readiness {
  const whole = useOperation(form.operation);
  const description = useMemo(() => whole && withoutFields(whole, owned), [whole, owned]);
  const isLoaded = useIsLoaded(form);
  const connection = useConnection(form);
  const { model } = useModel(form);
  const draft = useDraft(form, description);
  const wireNames = useForm(form, (values) => values.wireNames);
  const checked = useMemo(
    () => (description && draft ? checkDraft(description, draft) : null),
    [description, draft],
  );
  const blockedReason =
    description === null || checked === null || !isLoaded
      ? 'Gatehouse is still loading.'
      : connection === null
        ? 'Choose a connection first.'
        : model.trim() === ''
          ? 'Choose a model first.'
          : problemOf(description, checked);
  const blockedField =
    description === null || checked === null || !isLoaded
      ? null
      : connection === null
        ? 'connection'
        : model.trim() === ''
          ? 'model'
          : firstBroken(checked);
  const connectionId = blockedReason === null && connection !== null ? connection.id : null;
  const ready = useMemo(
    () =>
      connectionId !== null && checked?.ok
        ? {
            connectionId,
            request: { ...checked.request, model: model.trim() },
            extraBody: checked.extraBody,
            wireNames: renamedFields(wireNames),
          }
        : null,
    [connectionId, checked, model, wireNames],
  );
  return { description, connection, model, ready, blockedReason, blockedField };
}

const none: readonly string[] = [];

function firstBroken(checked: CheckedDraft): string | null {
  const name = checked.ok ? undefined : checked.errors[0]?.path[0];
  return name === undefined ? null : String(name);
}

/** The first broken field by its title: "Temperature: Enter a number from 0 to 2." */
function problemOf(description: OperationDescription, checked: CheckedDraft): string | null {
  const first = checked.ok ? undefined : checked.errors[0];
  if (first === undefined) return null;
  const name = first.path[0];
  const title =
    name === extraBodyPath
      ? 'Extra body fields'
      : description.fields.find((field) => field.name === name)?.title;
  return `${title ?? name}: ${first.message}`;
}
