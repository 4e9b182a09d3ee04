/** Compares the response of a finished run with its request. */
import { getNumber } from '../exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { findReferencedMedia } from '../media.ts';
import { viewAnswer } from '../operations/chat/answer-view.ts';
import type { OperationName } from '../operations/operation-name.ts';
import { isWithheld } from '../operations/response/finish-reason.ts';
import { getTokenCounts } from '../operations/response/usage.ts';
import { parseJson } from '../parse-json.ts';
import { removeControls } from '../remove-controls.ts';
import type { RunView } from '../run-view.ts';
import { findSchemaProblem } from './find-schema-problem.ts';
import type { AskedName, Finding } from './finding.ts';

export interface AskedRun<Name extends OperationName = OperationName> {
  view: RunView<Name>;
  /** The request's fields, as the operation's schema names them, with extra fields merged in. */
  request: JsonObject;
  /** The seconds of the audio that the request sent; null if they are unknown. */
  sentSeconds: number | null;
}

/** Returns null if the request didn't ask for it, or if the response can't tell. */
type Rule<Name extends OperationName> = (run: AskedRun<Name>) => Finding | null;

/** Returns a finding for each thing asked for; empty unless the run succeeded. Pure. */
export function listFindings<Name extends OperationName>(run: AskedRun<Name>): Finding[] {
  if (run.view.status !== 'succeeded') return [];
  return rules[run.view.operation].flatMap((rule) => rule(run) ?? []);
}

/** Returns the seconds of the audio file that a transcription sends; null if they are unknown. */
export function getSentSeconds(
  { file }: JsonObject,
  getSeconds: (mediaId: string) => number | null,
): number | null {
  const id = typeof file === 'string' ? findReferencedMedia(file) : null;
  return id === null ? null : getSeconds(id);
}

function find(name: AskedName, holds: boolean, note: string): Finding {
  return { name, holds, note: shortenNote(note) };
}

/** A gateway's names may be megabytes long. */
const MAX_NOTE_LENGTH = 400;

/** Returns one line without characters that reverse text. */
export function shortenNote(text: string, most = MAX_NOTE_LENGTH): string {
  const start = text.slice(0, 10 * most);
  const line = removeControls(start).replaceAll(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/**
 * Dates and versions that gateways add to a model's name, such as `-2024-08-06` and `:free`. Each
 * hyphen starts another part, so that matching takes linear time.
 */
const VERSION = /^(?:[-@:](?:latest|preview|free|beta|exp|stable|v?\d[\d.]*))*$/;

/** Returns true if the names differ only by a provider's prefix or a version. */
export function isSameModel(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other]
    .map((name) => name.toLowerCase().replace(/^.*\//, ''))
    .sort((a, b) => a.length - b.length);
  return long.startsWith(short) && VERSION.test(long.slice(short.length));
}

const checkModel: Rule<OperationName> = ({ view: { model: asked, figures } }) => {
  const got = figures?.model ?? null;
  if (asked === '' || got === null) return null;
  return find('model', isSameModel(asked, got), `Asked for ${asked}; the response names ${got}.`);
};

function countOutputs({ view }: AskedRun): number | null {
  switch (view.operation) {
    case 'chat':
    case 'completion':
      return view.state.choices.length;
    case 'image':
    case 'video':
      return view.media.filter(({ kind, complete }) => kind === view.operation && complete).length;
    default:
      return null;
  }
}

/** The image formats other than `images` have no `n`. */
const checkChoices: Rule<OperationName> = (run) => {
  const asked = getNumber(run.request.n);
  const got = countOutputs(run);
  if (asked === null || got === null) return null;
  if (run.view.operation === 'image' && run.request.format === undefined) return null;
  return find('choices', asked === got, `Asked for n = ${asked}, got ${got}.`);
};

interface Text {
  text: string;
  finishReason: string | null;
}

function listTexts({ view }: AskedRun): Text[] {
  if (view.operation === 'completion') return view.state.choices;
  if (view.operation !== 'chat') return [];
  return view.state.choices.map((choice) => ({
    text: viewAnswer(choice).content,
    finishReason: choice.finishReason,
  }));
}

const checkStop: Rule<OperationName> = (run) => {
  const { stop, echo } = run.request;
  const all = (Array.isArray(stop) ? stop : [stop]).filter(isText);
  const texts = listTexts(run);
  // An echoed prompt may contain the sequence.
  if (all.length === 0 || texts.length === 0 || echo === true) return null;
  const found = all.find((sequence) => texts.some(({ text }) => text.includes(sequence)));
  if (found === undefined) return find('stop', true, 'The text ends before the stop sequences.');
  return find('stop', false, `The text contains the stop sequence ${JSON.stringify(found)}.`);
};

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

/** Only `max_completion_tokens` counts reasoning everywhere. */
const checkMaxTokens: Rule<OperationName> = ({ request, view: { figures } }) => {
  const { output, reasoning } = getTokenCounts(figures?.usage ?? null);
  const total = getNumber(request.max_completion_tokens);
  const asked = total ?? getNumber(request.max_tokens);
  if (asked === null || output === null) return null;
  const counted = total === null ? output - (reasoning ?? 0) : output;
  const most = asked * Math.max(1, getNumber(request.n) ?? 1);
  return find('max-tokens', counted <= most, `Asked for at most ${most} tokens, got ${counted}.`);
};

const CUT = /^(?:length|max_tokens|max_output_tokens)$/i;

/** Returns false for an answer that a limit or a filter ended. */
function isWhole({ finishReason }: { finishReason: string | null }): boolean {
  return finishReason === null || !(CUT.test(finishReason) || isWithheld(finishReason));
}

/** Returns null if the request didn't ask for JSON that matches a schema. */
function getAskedSchema(format: JsonValue | undefined): JsonObject | null {
  if (!isJsonObject(format)) return null;
  const { type, json_schema: wrapped } = format;
  if (type !== 'json_schema' || !isJsonObject(wrapped)) return null;
  return isJsonObject(wrapped.schema) ? wrapped.schema : wrapped;
}

const checkSchema: Rule<'chat'> = (run) => {
  const { response_format: format } = run.request;
  const isAnyObject = isJsonObject(format) && format.type === 'json_object';
  const schema = getAskedSchema(format);
  if (schema === null && !isAnyObject) return null;
  const answers = run.view.state.choices.filter(isWhole).map((choice) => viewAnswer(choice));
  const texts = answers.filter(
    ({ content, toolCalls, refusal }) =>
      content.trim() !== '' && toolCalls.length === 0 && refusal === '',
  );
  if (texts.length === 0) return null;
  for (const { content } of texts) {
    const value = parseJson(content);
    if (value === undefined) return find('schema', false, 'Asked for JSON; the text isn’t JSON.');
    if (schema === null) {
      if (isJsonObject(value)) continue;
      return find('schema', false, 'Asked for a JSON object; the JSON isn’t an object.');
    }
    const problem = describeProblem('The answer', schema, value);
    if (problem === undefined) return null;
    if (problem !== null) return find('schema', false, problem);
  }
  const note = schema === null ? 'is a JSON object' : 'matches the JSON schema';
  return find('schema', true, `The answer ${note}.`);
};

/** Returns null if the value matches the schema; undefined if the schema can't be checked. */
function describeProblem(
  what: string,
  schema: JsonObject,
  value: JsonValue,
): string | null | undefined {
  const problem = findSchemaProblem(schema, value);
  if (!problem) return problem;
  const place = problem.path === '' ? '' : `${problem.path}: `;
  return `${what} doesn’t match the schema: ${place}${problem.message}`;
}

const checkArguments: Rule<'chat'> = ({ request, view }) => {
  const tools = (Array.isArray(request.tools) ? request.tools : []).flatMap((tool) =>
    isJsonObject(tool) && isJsonObject(tool.function) ? [tool.function] : [],
  );
  const calls = view.state.choices.filter(isWhole).flatMap((each) => viewAnswer(each).toolCalls);
  if (tools.length === 0 || calls.length === 0) return null;
  for (const { name, arguments: text } of calls) {
    const what = `The arguments of ${name}`;
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) return find('arguments', false, `${name} isn’t one of the tools.`);
    // A tool without parameters is often called with empty text.
    const value = parseJson(text.trim() === '' ? '{}' : text);
    if (!isJsonObject(value)) return find('arguments', false, `${what} aren’t a JSON object.`);
    if (!isJsonObject(tool.parameters)) continue;
    const problem = describeProblem(what, tool.parameters, value);
    if (problem === undefined) return null;
    if (problem !== null) return find('arguments', false, problem);
  }
  return find('arguments', true, 'The arguments match the parameters of their tools.');
};

/** Details may exceed a count that leaves them out, so only the total and the cache are checked. */
const checkUsage: Rule<OperationName> = ({ view: { figures } }) => {
  const usage = figures?.usage ?? null;
  const { input, output, reasoning, cached, total } = getTokenCounts(usage);
  if (usage === null || total === null || input === null || output === null) return null;
  const sums = [input + output, input + output + (reasoning ?? 0)];
  const counts = `${input} input and ${output} output tokens`;
  if (!sums.includes(total)) return find('usage', false, `${counts} don’t add up to ${total}.`);
  if (cached !== null && cached > input) {
    return find('usage', false, `${cached} cached tokens are more than the ${input} input tokens.`);
  }
  return find('usage', true, `${counts} add up to ${total}.`);
};

interface Size {
  width: number;
  height: number;
}

function listSizes({ media, operation }: RunView<'image' | 'video'>): Size[] {
  return media.flatMap(({ kind, width, height }) =>
    kind === operation && width !== null && height !== null ? { width, height } : [],
  );
}

/** Returns null if no size is known. */
function compareSizes(
  name: AskedName,
  view: RunView<'image' | 'video'>,
  asked: string,
  isAsked: (size: Size) => boolean,
): Finding | null {
  const sizes = listSizes(view);
  if (sizes.length === 0) return null;
  const got = sizes.map(({ width, height }) => `${width} × ${height}`).join(', ');
  return find(name, sizes.every(isAsked), `Asked for ${asked}, got ${got}.`);
}

/** Models round the sides of a ratio to multiples of 16 or 64. */
const RATIO_TOLERANCE = 0.04;

const checkPixels: Rule<'image'> = ({ request, view }) => {
  if (typeof request.size === 'string' && request.format !== undefined) {
    const [, x, y] = /^(\d+)[x×*](\d+)$/i.exec(request.size.trim()) ?? [];
    if (x === undefined || y === undefined) return null;
    const isAsked = ({ width, height }: Size) => width === Number(x) && height === Number(y);
    return compareSizes('pixels', view, `${Number(x)} × ${Number(y)} pixels`, isAsked);
  }
  const { generationConfig } = request;
  const config = isJsonObject(generationConfig) ? generationConfig.imageConfig : null;
  const ratio = isJsonObject(config) ? config.aspectRatio : null;
  const [, x, y] = (typeof ratio === 'string' && /^(\d+):(\d+)$/.exec(ratio)) || [];
  if (x === undefined || y === undefined || Number(y) === 0) return null;
  const wanted = Number(x) / Number(y);
  const isAsked = ({ width, height }: Size) =>
    Math.abs(width / height / wanted - 1) <= RATIO_TOLERANCE;
  return compareSizes('pixels', view, `${x}:${y}`, isAsked);
};

const checkAudioFormat: Rule<'speech'> = ({ request, view }) => {
  const { response_format: asked } = request;
  const { receivedFormat: got } = view.state;
  if (typeof asked !== 'string' || got === null) return null;
  return find('audio-format', asked === got, `Asked for ${asked}, got ${got}.`);
};

const checkAudioRate: Rule<'speech'> = ({ request, view }) => {
  const asked = getNumber(request.sample_rate);
  const got = view.media.find(({ kind }) => kind === 'audio')?.sampleRate ?? null;
  if (asked === null || got === null) return null;
  return find('audio-rate', asked === got, `Asked for ${asked} Hz, got ${got} Hz.`);
};

const checkVideoSize: Rule<'video'> = ({ request, view }) => {
  const [width, height] = [getNumber(request.width), getNumber(request.height)];
  if (width === null || height === null) return null;
  const isAsked = (size: Size) => size.width === width && size.height === height;
  return compareSizes('video-size', view, `${width} × ${height}`, isAsked);
};

/** A video ends with a whole frame, and some models round to whole seconds. */
const SECONDS_TOLERANCE = 0.5;

const checkDuration: Rule<'video'> = ({ request, view }) => {
  const asked = getNumber(request.duration);
  const durations = view.media.flatMap(({ kind, durationSeconds }) =>
    kind === 'video' && durationSeconds !== null ? [durationSeconds] : [],
  );
  if (asked === null || durations.length === 0) return null;
  const holds = durations.every((seconds) => Math.abs(seconds - asked) <= SECONDS_TOLERANCE);
  const got = durations.map((seconds) => `${seconds.toFixed(1)} s`).join(', ');
  return find('duration', holds, `Asked for ${asked} s, got ${got}.`);
};

const checkOrder: Rule<'rerank'> = ({ view: { state } }) => {
  if (state.results.length < 2) return null;
  if (state.results.some(({ problem }) => problem !== null)) {
    return find('order', false, 'A result names no document of the request, or one twice.');
  }
  const isSorted = state.wasUnsorted !== true;
  return find('order', isSorted, `The results ${isSorted ? 'are' : 'aren’t'} sorted by score.`);
};

const checkTopN: Rule<'rerank'> = ({ request, view: { state } }) => {
  const asked = getNumber(request.top_n);
  const got = state.results.length;
  if (asked === null || got === 0) return null;
  const most = Math.min(asked, state.documentCount ?? asked);
  return find('top-n', got === most, `Asked for ${most} documents, got ${got}.`);
};

const checkTimestamps: Rule<'transcription'> = ({ view: { state }, sentSeconds }) => {
  const spans = [...state.segments, ...state.words];
  const length = sentSeconds ?? state.durationSeconds;
  if (spans.length === 0 || length === null) return null;
  const wrong = spans.find(
    ({ start, end }) => start < 0 || end < start || end > length + SECONDS_TOLERANCE,
  );
  if (wrong === undefined) return find('timestamps', true, 'The timestamps are within the audio.');
  const span = `A timestamp (${wrong.start} to ${wrong.end} s)`;
  return find('timestamps', false, `${span} isn’t within ${length.toFixed(1)} s of audio.`);
};

const checkDimensions: Rule<'embeddings'> = ({ request, view: { state } }) => {
  const [asked, got] = [getNumber(request.dimensions), state.dimensions];
  if (asked === null || got === null) return null;
  return find('dimensions', asked === got, `Asked for ${asked} dimensions, got ${got}.`);
};

const rules: { [Name in OperationName]: readonly Rule<Name>[] } = {
  chat: [
    checkModel,
    checkChoices,
    checkStop,
    checkMaxTokens,
    checkSchema,
    checkArguments,
    checkUsage,
  ],
  completion: [checkModel, checkChoices, checkStop, checkMaxTokens, checkUsage],
  image: [checkModel, checkChoices, checkPixels],
  video: [checkChoices, checkVideoSize, checkDuration],
  rerank: [checkModel, checkOrder, checkTopN],
  embeddings: [checkModel, checkDimensions],
  speech: [checkAudioFormat, checkAudioRate],
  transcription: [checkTimestamps],
  console: [],
};
