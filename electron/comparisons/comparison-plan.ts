/** Builds the requests of comparison cells and validates plans before they are recorded. */
import { setImmediate as breathe } from 'node:timers/promises';
import {
  type CellState,
  type Comparison,
  type ComparisonPlan,
  countStaged,
  getCellVariant,
  MAX_CELLS,
  MAX_REPEATS,
  MAX_STAGED_REQUESTS,
} from '../../shared/comparison.ts';
import type { StartInput } from '../../shared/contract/runs.ts';
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { PartialRunInput } from '../../shared/run.ts';
import { checkInput } from '../operations/check-input.ts';
import type { PlannedRequest, RequestPrice } from '../runs/spending.ts';
import type { StoredCell } from './comparison-store.ts';

/** The messages that a chat cell sends, and the answers that it writes. */
export interface CellAnswers {
  messages: JsonObject[];
  record(runId: string): void;
  ids(): string[];
}

/** The subset of `Conversations` that comparisons use. */
export interface CellConversations {
  /** Throws a `UserFacingError` if the message was deleted. */
  cellAnswers(conversationId: string, messageId: string, request: JsonObject): CellAnswers;
  answersAdded(conversationId: string, messageIds: readonly string[]): void;
}

type Place = Pick<StoredCell, 'rowId' | 'variantId'>;

export function getConnections({ rows, variants }: Comparison): string[] {
  const all = [...variants, ...rows.flatMap((row) => row.variants)];
  return [...new Set(all.map(({ connectionId }) => connectionId))];
}

/** Merges the fields of the row and the variant; the variant takes precedence. */
export function getInput(plan: ComparisonPlan, cell: Place): StartInput {
  const { operation, rows } = plan;
  const row = rows.find(({ id }) => id === cell.rowId);
  const variant = getCellVariant(plan, cell);
  if (row === undefined || variant === undefined) throw new Error('The plan has no such cell.');
  const { connectionId, request, extraBody, wireNames } = variant;
  const merged = { ...row.request, ...request };
  const { sourceRunId } = row;
  return { operation, connectionId, request: merged, extraBody, wireNames, sourceRunId };
}

interface CellInput {
  input: StartInput;
  chat: { conversationId: string; answers: CellAnswers } | null;
}

/** Adds the messages of a chat's branch; throws a `UserFacingError` if the message was deleted. */
export function getCellInput(
  conversations: CellConversations,
  comparison: Comparison,
  cell: StoredCell,
): CellInput {
  const input = getInput(comparison, cell);
  const { conversationId } = comparison;
  if (conversationId === null || cell.messageId === null) return { input, chat: null };
  const answers = conversations.cellAnswers(conversationId, cell.messageId, input.request);
  const request = { ...input.request, messages: answers.messages };
  return { input: { ...input, request }, chat: { conversationId, answers } };
}

/** Omits the messages if the chat message was deleted; the cell then fails when it is sent. */
export function getInputToPrice(
  conversations: CellConversations,
  comparison: Comparison,
  cell: StoredCell,
): StartInput {
  try {
    return getCellInput(conversations, comparison, cell).input;
  } catch (cause) {
    if (cause instanceof UserFacingError) return getInput(comparison, cell);
    throw cause;
  }
}

export function getCellState(
  { place, wanted, sent }: StoredCell,
  queued: ReadonlyMap<number, unknown>,
): CellState {
  if (queued.has(place)) return 'waiting';
  if (wanted > sent) return 'held';
  return sent > 0 ? 'sent' : 'dropped';
}

/** Returns how often each place of the plan is sent, at most. */
export function countRepeats({ rows, repeats, stages }: ComparisonPlan): number {
  return stages === undefined ? repeats : Math.ceil(countStaged(stages) / rows.length);
}

export function listPlaces({ rows, variants }: ComparisonPlan): Place[] {
  return rows.flatMap(({ id }) =>
    variants.map((variant) => ({ rowId: id, variantId: variant.id })),
  );
}

/** Prices cells that are each sent `times` times; equal requests are priced only once. */
export function planRequests<Cell extends Place>(
  cells: readonly Cell[],
  times: number,
  getPrice: (cell: Cell, key: string) => RequestPrice,
): PlannedRequest[] {
  const planned = new Map<string, PlannedRequest>();
  for (const cell of cells) {
    const key = JSON.stringify([cell.rowId, cell.variantId]);
    const known = planned.get(key) ?? { price: getPrice(cell, key), times: 0 };
    planned.set(key, { ...known, times: known.times + times });
  }
  return [...planned.values()];
}

const CHECK_BATCH = 20;

/** Throws an `invalid-request` error if a request is invalid or the plan contains a stored key. */
export async function checkPlan(
  plan: ComparisonPlan,
  redact: (text: string) => string,
): Promise<void> {
  const { rows, variants, repeats, stages } = plan;
  if (stages === undefined) checkCount(rows.length * variants.length * repeats);
  else checkCount(countStaged(stages), MAX_STAGED_REQUESTS);
  checkText(JSON.stringify(plan), redact);
  for (const [index, place] of listPlaces(plan).entries()) {
    checkCell(plan.operation, place.variantId, getInput(plan, place));
    if (index % CHECK_BATCH === 0) await breathe();
  }
}

export function checkCell(
  operation: OperationName,
  variantId: string,
  input: PartialRunInput,
): void {
  try {
    checkInput(operation, input);
  } catch (cause) {
    throw cause instanceof UserFacingError ? nameVariant(variantId, cause.error) : cause;
  }
}

function nameVariant(variantId: string, error: AppError): UserFacingError {
  const fields = error.kind === 'invalid-request' ? error.fields : [];
  const [first] = fields;
  const what = first === undefined ? error.message : `${first.path.join('.')}: ${first.message}`;
  const inVariant = fields.map(({ path, message }) => ({
    path: ['variants', variantId, ...path],
    message,
  }));
  return rejectPlan(what, 'Fix the marked variant first.', inVariant);
}

export function checkText(text: string, redact: (text: string) => string): void {
  if (redact(text) === text) return;
  throw rejectPlan(
    'The request contains an API key, and comparisons are stored.',
    'Remove the key from the request.',
  );
}

export function checkRepeats(repeats: number): void {
  if (repeats <= MAX_REPEATS) return;
  throw rejectPlan(`The limit is ${MAX_REPEATS} repeats.`, 'Enter fewer repeats.');
}

export function checkCount(cells: number, limit = MAX_CELLS): void {
  if (cells <= limit) return;
  const [count, max] = [cells, limit].map((each) => each.toLocaleString('en'));
  throw rejectPlan(
    `${count} requests is over the limit of ${max}.`,
    'Use fewer variants, prompts or repeats.',
  );
}

function rejectPlan(
  reason: string,
  nextStep: string,
  fields: { path: string[]; message: string }[] = [],
): UserFacingError {
  return new UserFacingError(
    appError('invalid-request', `Nothing was sent. ${reason}`, nextStep, { fields }),
  );
}
