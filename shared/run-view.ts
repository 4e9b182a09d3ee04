/** Builds the view of a run: its summary and the state folded from its events. */
import { assertNever } from './assert-never.ts';
import type { JsonObject } from './json.ts';
import type { FormatReader, RunResponse, StreamRest } from './operations/operation.ts';
import type { OperationName } from './operations/operation-name.ts';
import { operations, type StateOf } from './operations/operations.ts';
import { getCharge, readDollars } from './operations/response/usage.ts';
import { getContentType, upsertMedia } from './operations/response/values.ts';
import type { Quantities } from './quantities.ts';
import { removeControls } from './remove-controls.ts';
import type { Figures, RunEvent, RunEventKind, RunEventOf, RunSummary } from './run.ts';

/** A discriminated union, so that `run.operation === 'video'` narrows `run.state`. */
export type RunView<Name extends OperationName = OperationName> = {
  [Each in Name]: Omit<RunSummary, 'operation'> & {
    operation: Each;
    seq: number;
    /** The format of the run's requests; undefined for the operation's default format. */
    format?: string;
    /** True while the events belong to a redirect that is being followed. */
    isRedirect?: boolean;
    /** The cost in US dollars from a response header. */
    chargedDollars?: number;
    /** How often events were masked after they had arrived, so that copies are outdated. */
    redactions?: number;
    state: StateOf<Each>;
  };
}[Name];

export function isRunOf<Name extends OperationName>(
  view: RunView,
  operation: Name,
): view is RunView & RunView<Name> {
  return view.operation === operation;
}

const firstViews: { [Name in OperationName]: (run: RunSummary) => RunView<Name> } = {
  chat: (run) => ({ ...run, operation: 'chat', seq: 0, state: operations.chat.initialState }),
  completion: (run) => ({
    ...run,
    operation: 'completion',
    seq: 0,
    state: operations.completion.initialState,
  }),
  image: (run) => ({ ...run, operation: 'image', seq: 0, state: operations.image.initialState }),
  video: (run) => ({ ...run, operation: 'video', seq: 0, state: operations.video.initialState }),
  rerank: (run) => ({ ...run, operation: 'rerank', seq: 0, state: operations.rerank.initialState }),
  embeddings: (run) => ({
    ...run,
    operation: 'embeddings',
    seq: 0,
    state: operations.embeddings.initialState,
  }),
  speech: (run) => ({ ...run, operation: 'speech', seq: 0, state: operations.speech.initialState }),
  transcription: (run) => ({
    ...run,
    operation: 'transcription',
    seq: 0,
    state: operations.transcription.initialState,
  }),
  console: (run) => ({
    ...run,
    operation: 'console',
    seq: 0,
    state: operations.console.initialState,
  }),
};

export function createInitialView(run: RunSummary): RunView {
  return firstViews[run.operation](run);
}

/** Returns a new view and the number of events with output; consecutive chunks share a view. */
export function foldEvents<Name extends OperationName>(
  view: RunView<Name>,
  events: readonly RunEvent[],
): { view: RunView<Name>; produced: number } {
  let folded = view;
  let produced = 0;
  for (let at = 0; at < events.length; ) {
    const chunks = takeEvents(events, at, 'chunk');
    if (chunks.length > 0) {
      const read = foldChunks(folded, chunks);
      folded = read.view;
      produced += read.produced;
      at += chunks.length;
    }
    const files = takeEvents(events, at, 'media');
    if (files.length > 0) {
      folded = foldMedia(folded, files);
      at += files.length;
    }
    const event = events[at];
    if (event === undefined || event.kind === 'chunk') continue;
    folded = foldRun(folded, event);
    at += 1;
  }
  return { view: folded, produced };
}

function takeEvents<Kind extends RunEventKind>(
  events: readonly RunEvent[],
  from: number,
  kind: Kind,
): RunEventOf<Kind>[] {
  const taken: RunEventOf<Kind>[] = [];
  const isOfKind = (event: RunEvent | undefined): event is RunEventOf<Kind> => event?.kind === kind;
  for (let event = events[from]; isOfKind(event); event = events[from + taken.length]) {
    taken.push(event);
  }
  return taken;
}

function foldMedia<Name extends OperationName>(
  view: RunView<Name>,
  events: readonly RunEventOf<'media'>[],
): RunView<Name> {
  const operation = operations[view.operation];
  const reader = getReader(view);
  const state = reader.foldMedia?.(view.state, events) ?? events.reduce(reader.fold, view.state);
  const media = upsertMedia(
    view.media,
    events.map((event) => event.media),
  );
  const seq = events.at(-1)?.seq ?? view.seq;
  return { ...view, seq, state, phase: operation.phase(state), media };
}

function foldChunks<Name extends OperationName>(
  view: RunView<Name>,
  chunks: readonly RunEventOf<'chunk'>[],
): { view: RunView<Name>; produced: number } {
  const operation = operations[view.operation];
  const reader = getReader(view);
  const seq = chunks.at(-1)?.seq ?? view.seq;
  if (view.isRedirect) return { view: { ...view, seq }, produced: 0 };
  if (reader.foldChunks) {
    const { state, produced } = reader.foldChunks(view.state, chunks);
    return { view: { ...view, seq, state, phase: operation.phase(state) }, produced };
  }
  let { state } = view;
  let produced = 0;
  for (const chunk of chunks) {
    const next = reader.fold(state, chunk);
    if (operation.hasNewOutput(state, next)) produced += 1;
    state = next;
  }
  return { view: { ...view, seq, state, phase: operation.phase(state) }, produced };
}

/** Returns the reader of the run's format; an unknown format is read as the default one. */
function getReader<Name extends OperationName>(view: RunView<Name>): FormatReader<StateOf<Name>> {
  const operation = operations[view.operation];
  if (view.format === undefined) return operation;
  return operation.formats?.find(({ name }) => name === view.format) ?? operation;
}

export function foldRun<Name extends OperationName>(
  view: RunView<Name>,
  event: RunEvent,
): RunView<Name> {
  const operation = operations[view.operation];
  const state = foldState(view, event);
  const next = { ...view, seq: event.seq, state, phase: operation.phase(state) };
  const at = view.createdAt + event.atMs;
  switch (event.kind) {
    case 'request':
      return {
        ...next,
        status: 'running',
        startedAt: view.startedAt ?? at,
      };
    case 'response':
      return {
        ...next,
        ...readHeaderCharge(view, event),
        httpStatus: event.status,
        isRedirect: event.followedTo !== undefined,
      };
    case 'media':
      return foldMedia(view, [event]);
    case 'chunk':
    case 'body':
    case 'task':
    case 'following':
    case 'progress':
    case 'exchange-end':
      return next;
    case 'redacted':
      return { ...next, redactions: (view.redactions ?? 0) + 1 };
    case 'finish': {
      const noResult = operation.noResult(state, next.media);
      return {
        ...next,
        status: 'succeeded',
        finishedAt: at,
        timings: event.timings,
        media: operation.results?.(state, next.media) ?? next.media,
        figures: {
          ...getFigures(next),
          noResult: noResult === null ? null : removeControls(noResult),
        },
      };
    }
    case 'error':
      return {
        ...next,
        status: event.status,
        finishedAt: at,
        error: event.error,
        timings: event.timings,
        media: operation.results?.(state, next.media) ?? next.media,
        figures: { ...getFigures(next), noResult: null },
      };
    default:
      return assertNever(event);
  }
}

/** https://docs.litellm.ai/docs/proxy/provider_discounts */
const COST_HEADER = 'x-litellm-response-cost';

/** Keeps the highest cost of several responses, because polls may repeat it. */
function readHeaderCharge(
  { chargedDollars = 0 }: Pick<Figures, 'chargedDollars'>,
  event: RunEventOf<'response'>,
): { chargedDollars?: number } {
  const charge = readDollars(
    event.headers.find(([name]) => name.toLowerCase() === COST_HEADER)?.[1],
  );
  if (charge === null || event.status >= 300) return {};
  // A stream's headers are sent before its cost is known.
  const isStream = getContentType(event)?.toLowerCase().startsWith('text/event-stream') ?? false;
  return charge === 0 && isStream ? {} : { chargedDollars: Math.max(charge, chargedDollars) };
}

/** Lists of runs have these words, so that a gateway must not make them long. */
const MAX_NAME_LENGTH = 300;
const MAX_FINISH_REASONS = 128;

function getFigures<Name extends OperationName>({
  operation,
  state,
  chargedDollars,
}: RunView<Name>): Omit<Figures, 'noResult'> {
  const { model, finishReasons, ...figures } = operations[operation].figures(state);
  return {
    ...figures,
    ...getChargedDollars(figures.usage, chargedDollars),
    model: model?.slice(0, MAX_NAME_LENGTH) ?? null,
    finishReasons: finishReasons
      .slice(0, MAX_FINISH_REASONS)
      .map((reason) => reason.slice(0, MAX_NAME_LENGTH)),
  };
}

/**
 * Prefers the cost in `usage`: a streamed response's header is sent before the final cost is known.
 */
function getChargedDollars(
  usage: Figures['usage'],
  ofHeader: number | undefined,
): { chargedDollars?: number } {
  const charge = getCharge(usage) ?? ofHeader;
  return charge === undefined ? {} : { chargedDollars: charge };
}

/** Ignores the body of a followed redirect, and only adds a warning. */
function foldState<Name extends OperationName>(
  view: RunView<Name>,
  event: RunEvent,
): StateOf<Name> {
  if (view.isRedirect && (event.kind === 'body' || event.kind === 'chunk')) return view.state;
  const state = getReader(view).fold(view.state, event);
  if (event.kind !== 'response' || event.followedTo === undefined) return state;
  if (!('warnings' in state)) return state;
  const note = `The gateway redirected the request to ${event.followedTo}.`;
  return state.warnings.includes(note) ? state : { ...state, warnings: [...state.warnings, note] };
}

/** Whether `after` has new output; both must be views of the same run. */
export function hasNewOutput<Name extends OperationName>(
  before: RunView<Name>,
  after: RunView<Name>,
): boolean {
  return operations[after.operation].hasNewOutput(before.state, after.state);
}

/** Returns what the stream may still send; `sent` is the request body. */
export function getRemainingStream<Name extends OperationName>(
  view: RunView<Name>,
  sent: JsonObject,
): StreamRest {
  return getReader(view).rest(view.state, sent);
}

export function getQuantities<Name extends OperationName>(view: RunView<Name>): Quantities {
  const { state, media, chargedDollars } = view;
  const { quantities, figures } = operations[view.operation];
  return {
    ...quantities(state, media),
    ...getChargedDollars(figures(state).usage, chargedDollars),
  };
}

export function getResponse<Name extends OperationName>(view: RunView<Name>): RunResponse {
  return { ...operations[view.operation].response(view.state), media: view.media };
}
