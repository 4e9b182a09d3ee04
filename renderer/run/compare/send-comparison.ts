/** Plans and sends a form's comparison, with confirmation if it has many requests. */
import { create } from 'zustand';
import type { ComparedVariant, ComparisonPlan } from '../../../shared/comparison.ts';
import type { Connection } from '../../../shared/connection.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import {
  describeOperation,
  type OperationDescription,
} from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { api, orpc } from '../../lib/api.ts';
import { getSelected } from '../../lib/connections.ts';
import { queryClient } from '../../lib/query-client.ts';
import type { Form } from '../form/form.ts';
import { getDraft } from '../form/parameters.ts';
import { type ReadyRun, resolveForm } from '../form/resolve-form.ts';
import { getTextRun } from '../form/text-source.ts';
import { withoutFields } from '../form/validate-form.ts';
import { shuffle } from './compare-columns.ts';
import {
  type ComparedInput,
  listRowInputs,
  omitUnsent,
  pickDifferingSettings,
} from './compared-input.ts';
import { getVariantForm } from './variant-form.ts';
import { listDifferences, type SentSettings } from './variant-labels.ts';
import { findVariantsProblem, getVariants, type ListedVariant, MAX_VARIANTS } from './variants.ts';

const maxUnasked = 20;

interface SendQuestion {
  formId: string;
  requests: number;
  answer: (send: boolean) => void;
}

export const useSendQuestion = create<{ question: SendQuestion | null }>(() => ({
  question: null,
}));

export function countRequests({
  variants,
  rows,
  repeats,
}: Pick<ComparisonPlan, 'variants' | 'rows' | 'repeats'>): number {
  return variants.length * rows.length * repeats;
}

/** Hides the names before the page shows the comparison, if the form's Blind switch is on. */
export async function hideNames(
  form: Form<OperationName>,
  comparisonId: string,
  variants: readonly Pick<ComparedVariant, 'id'>[],
): Promise<void> {
  if (!form.state.getState().values.blind || variants.length < 2) return;
  const order = shuffle(variants.map(({ id }) => id));
  const change = { kind: 'blind' as const, blind: { isHidden: true, order } };
  await api.comparisons.note({ id: comparisonId, change });
}

/** Returns null if the user declined; copies labels and reference texts of `notesFrom`. */
export async function sendComparison(
  formId: string,
  plan: ComparisonPlan,
  overCap: boolean,
  notesFrom: string | null = null,
): Promise<string | null> {
  // The user already confirmed exceeding the daily cap.
  if (!overCap && !(await confirmSend(formId, countRequests(plan)))) return null;
  const { id } = await api.comparisons.start({ ...plan, overCap, notesFrom });
  return id;
}

/** Asking a new question declines the previous one. */
export async function confirmSend(formId: string, requests: number): Promise<boolean> {
  if (requests <= maxUnasked) return true;
  useSendQuestion.getState().question?.answer(false);
  return new Promise((resolve) => {
    const answer = (send: boolean) => {
      useSendQuestion.setState({ question: null });
      resolve(send);
    };
    useSendQuestion.setState({ question: { formId, requests, answer } });
  });
}

export type PlannedComparison =
  | { ok: true; plan: ComparisonPlan }
  | { ok: false; problem: AppError; variantId: string | null };

interface Known {
  description: OperationDescription;
  connections: readonly Connection[];
  selected: Connection | null;
}

/** `own` contains the panel's own request fields. */
export async function planComparison(
  form: Form<OperationName>,
  own: JsonObject,
  { title, promptField, settings, owned = [], maxVariants = MAX_VARIANTS }: ComparedInput,
): Promise<PlannedComparison> {
  const { values } = form.state.getState();
  const getTitle = title ?? ((input: JsonObject) => promptField?.read(input) ?? '');
  const fields = settings?.fields(values.input) ?? [];
  const missing = findVariantsProblem(Object.values(values.variants));
  if (missing !== null) return rejectPlan(missing, null);
  const listed = getVariants(values.variants).filter(({ excluded }) => !excluded);
  if (listed.length > maxVariants)
    return rejectPlan(
      `Too many variants. Exclude or remove some. The limit is ${maxVariants}.`,
      null,
    );
  const inputs = listRowInputs(own, { promptField }, values.morePrompts);
  const overriding = listed.find(({ prompt }) => prompt !== null);
  if (inputs.length > 1 && overriding !== undefined && promptField !== null) {
    const label = promptField.label.toLowerCase();
    const reason = `One variant has its own ${label}. Remove it, or use a single ${label}.`;
    return rejectPlan(reason, overriding.id);
  }
  const known = await loadKnown(form.operation, owned);
  await keepModel(form, known);
  for (const { id, connectionId } of listed) {
    if (connectionId !== null) await keepModel(getVariantForm(form, id), known);
  }
  const variants: ComparedVariant[] = [];
  for (const variant of listed) {
    const settled = await settle(getVariantForm(form, variant.id), known);
    if (!settled.ok) {
      const name = variant.name === '' ? settled.model : variant.name;
      return rejectPlan(name === '' ? settled.reason : `${name}: ${settled.reason}`, variant.id);
    }
    const { ready } = settled;
    const set = pickDifferingSettings(fields, variant.settings);
    variants.push({
      id: variant.id,
      name: variant.name.trim(),
      ...ready,
      request: {
        ...(variant.prompt !== null && promptField?.write(own, variant.prompt)),
        ...(Object.keys(set).length > 0 && settings?.write(own, set)),
        ...ready.request,
      },
      differences: getDifferences(form, { ...variant, settings: set }, known),
    });
  }
  const text = getLine(getTitle(own));
  return {
    ok: true,
    plan: {
      operation: form.operation,
      title: text === '' ? listModelNames(variants) : text.slice(0, 200),
      variants,
      rows: inputs.map((request, at) => ({
        id: at === 0 ? 'input' : `input ${at + 1}`,
        label: getLine(getTitle(request)).slice(0, 500),
        request: omitUnsent(form.operation, variants, request),
        sourceRunId: getTextRun(form, request),
        variants: [],
      })),
      repeats: values.repeats,
      sourceComparisonId: null,
    },
  };
}

function getLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Pins the model, because the default is the most recently used model. */
async function keepModel(form: Form<OperationName>, known: Known): Promise<void> {
  const { connectionId, models } = form.state.getState().values;
  const connection = getConnection(connectionId, known);
  if (connection === null || models[connection.id] !== undefined) return;
  const model = await loadSuggestedModel(connection.id, form.operation);
  if (model !== '') form.change({ models: { [connection.id]: model } });
}

async function loadKnown(operation: OperationName, owned: readonly string[]): Promise<Known> {
  const [connections, settings] = await Promise.all([
    queryClient.ensureQueryData(orpc.connections.list.queryOptions()),
    queryClient.ensureQueryData(orpc.settings.get.queryOptions()),
  ]);
  return {
    description: withoutFields(describeOperation(operation), owned),
    connections,
    selected: getSelected(connections, settings.selectedConnectionId),
  };
}

type Settled = { ok: true; ready: ReadyRun } | { ok: false; reason: string; model: string };

/** Returns the variant's settings, or the reason they can't be sent. */
export async function settleForm(form: Form<OperationName>): Promise<Settled> {
  await form.load();
  return settle(form, await loadKnown(form.operation, []));
}

async function settle(form: Form<OperationName>, known: Known): Promise<Settled> {
  const { description, connections } = known;
  const { values } = form.state.getState();
  const { connectionId } = values;
  const isGone = connectionId !== null && !connections.some(({ id }) => id === connectionId);
  const connection = getConnection(connectionId, known);
  const model =
    connection === null
      ? ''
      : (values.models[connection.id] ?? (await loadSuggestedModel(connection.id, form.operation)));
  const { ready, blocked } = resolveForm(values, {
    description,
    connectionId: connection?.id ?? null,
    isGone,
    model,
    choosesConnection: form.choosesConnection,
  });
  return ready === null ? { ok: false, reason: blocked.reason, model } : { ok: true, ready };
}

function getConnection(id: string | null, { connections, selected }: Known): Connection | null {
  return id === null ? selected : (connections.find((one) => one.id === id) ?? null);
}

function getDifferences(
  form: Form<OperationName>,
  { id, prompt, settings }: ListedVariant,
  known: Known,
): string[] {
  const getSentSettings = (of: Form<OperationName>): SentSettings => {
    const { values } = of.state.getState();
    return {
      connectionName: getConnection(values.connectionId, known)?.name ?? '',
      draft: getDraft(values, known.description),
    };
  };
  const own = { ...getSentSettings(getVariantForm(form, id)), prompt, settings };
  return listDifferences(known.description, getSentSettings(form), own).map(({ label }) => label);
}

async function loadSuggestedModel(connectionId: string, operation: OperationName): Promise<string> {
  const input = { connectionId, operation };
  const suggestions = await queryClient.ensureQueryData(
    orpc.models.suggest.queryOptions({ input }),
  );
  return suggestions.preselected ?? '';
}

function listModelNames(variants: readonly ComparedVariant[]): string {
  return [...new Set(variants.map(({ request }) => String(request.model)))]
    .join(', ')
    .slice(0, 200);
}

function rejectPlan(message: string, variantId: string | null): PlannedComparison {
  const problem: AppError = {
    kind: 'invalid-request',
    message: `Nothing was sent. ${message}`,
    nextStep: '',
    gateway: null,
    detail: null,
    fields: [],
  };
  return { ok: false, problem, variantId };
}
