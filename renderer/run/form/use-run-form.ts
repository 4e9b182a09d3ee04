import { useMemo } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { OperationDescription } from '../../../shared/operations/form/description.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { RunInput } from '../../../shared/run-input.ts';
import { useConnections } from '../../lib/connections.ts';
import { type CheckedDraft, checkDraft, extraBodyPath } from './check-draft.ts';
import { useOperation, withoutFields } from './describe.ts';
import { draftOf, useDrafts } from './drafts.ts';
import { useModel } from './use-model.ts';

export interface ReadyRun {
  connectionId: string;
  /** The model and the set fields; the panel adds what it owns, such as `prompt`. */
  request: JsonObject;
  extraBody: JsonObject;
  /** The names that the user gave to fields, as typed. */
  wireNames?: RunInput['wireNames'];
}

export interface RunForm {
  description: OperationDescription | null;
  connection: Connection | null;
  model: string;
  /** Null while something stands in the way. */
  ready: ReadyRun | null;
  /** What stands in the way, in one sentence. */
  blockedReason: string | null;
}

/** All that a panel needs before it starts a run: connection, model and checked parameters. */
export function useRunForm(
  operation: OperationName,
  /** Fields that the panel sets itself: neither checked nor sent from here. */
  owned: readonly string[] = none,
): RunForm {
  const whole = useOperation(operation);
  const description = useMemo(() => whole && withoutFields(whole, owned), [whole, owned]);
  const { selected: connection } = useConnections();
  const { model } = useModel(operation);
  const drafts = useDrafts((state) => state.drafts);
  const draft = description && draftOf(drafts, description);
  const checked = useMemo(
    () => (description && draft ? checkDraft(description, draft) : null),
    [description, draft],
  );
  const blockedReason =
    description === null || checked === null
      ? 'Gatehouse is still loading.'
      : connection === null
        ? 'Choose a connection first.'
        : model.trim() === ''
          ? 'Choose a model first.'
          : problemOf(description, checked);
  const ready =
    blockedReason === null && connection !== null && checked?.ok
      ? {
          connectionId: connection.id,
          request: { ...checked.request, model: model.trim() },
          extraBody: checked.extraBody,
        }
      : null;
  return { description, connection, model, ready, blockedReason };
}

const none: readonly string[] = [];

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
