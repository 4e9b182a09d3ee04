/** Resolves a form to the request that it sends, or to the reason it can't. */
import type { FieldError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { OperationDescription } from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { getWireNames } from '../../../shared/param.ts';
import type { RunInput } from '../../../shared/run.ts';
import type { ParameterSettings } from '../../../shared/saved-items.ts';
import type { Form } from './form.ts';
import { getDraft } from './parameters.ts';
import type { RunBlock } from './run-block.ts';
import { checkDraft, extraBodyPath } from './validate-form.ts';

export interface ReadyRun {
  connectionId: string;
  /** Excludes the panel's own fields, such as `prompt`. */
  request: JsonObject;
  extraBody: JsonObject;
  wireNames: RunInput['wireNames'];
}

export interface FormContext {
  /** Excludes fields that the panel validates and sends itself. */
  description: OperationDescription;
  /** The form's own connection, or else the selected one; null if there is none. */
  connectionId: string | null;
  /** True if the form's own connection was deleted. */
  isGone: boolean;
  /** Empty if none is chosen. */
  model: string;
  choosesConnection: Form<OperationName>['choosesConnection'];
}

/** The request, or the first problem. */
export type ResolvedForm = { ready: ReadyRun; blocked: null } | { ready: null; blocked: RunBlock };

/** Returns what a panel, a comparison or exported code sends for these values. */
export function resolveForm(values: ParameterSettings, context: FormContext): ResolvedForm {
  const { description, connectionId, model } = context;
  if (connectionId === null) return { ready: null, blocked: createConnectionBlock(context) };
  if (model.trim() === '') {
    return { ready: null, blocked: { reason: 'Choose a model first.', field: 'model' } };
  }
  const draft = getDraft(values, description);
  const checked = checkDraft(description, draft);
  if (!checked.ok) return { ready: null, blocked: describeProblem(description, checked.errors[0]) };
  const ready = {
    connectionId,
    request: { ...checked.request, model: model.trim() },
    extraBody: checked.extraBody,
    wireNames: getWireNames(draft.params),
  };
  return { ready, blocked: null };
}

function createConnectionBlock({ isGone, choosesConnection }: FormContext): RunBlock {
  const reason = isGone
    ? `${describeMissingConnection({ choosesConnection })} Choose another.`
    : 'Choose a connection first.';
  return { reason, field: 'connection' };
}

export function describeMissingConnection({
  choosesConnection,
}: Pick<FormContext, 'choosesConnection'>): string {
  const whose = choosesConnection === 'of its own' ? 'variant' : 'conversation';
  return `This ${whose}’s connection was deleted.`;
}

/** Names the first invalid field: "Temperature: Enter a number from 0 to 2." */
function describeProblem(
  { fields }: OperationDescription,
  { path: [name], message }: FieldError,
): RunBlock {
  const field = String(name);
  const title =
    field === extraBodyPath ? 'Extra JSON' : fields.find((one) => one.name === field)?.title;
  return { reason: `${title ?? field}: ${message}`, field };
}
