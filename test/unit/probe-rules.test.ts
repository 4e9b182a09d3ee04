import { describe, expect, it } from 'vitest';
import {
  type Answers,
  judgeRow,
  PLAIN,
  type ProbeAnswer,
  type ProbeRow,
} from '../../shared/checks/probe/judge-row.ts';
import { COUNT, UNICODE_LINE } from '../../shared/checks/probe/questions.ts';
import { listProbeRequests, listProbeRows, probeRows } from '../../shared/checks/probe/rows.ts';
import { appError } from '../../shared/errors.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { Media } from '../../shared/media.ts';
import { noTimings, type RunEvent } from '../../shared/run.ts';
import { createInitialView, foldEvents, type RunView } from '../../shared/run-view.ts';
import { chatChoice } from '../fixtures/chat-choice.ts';
import { expectLinear } from '../fixtures/expect-linear.ts';
import { medium } from '../fixtures/medium.ts';
import { runSummary, runView } from '../fixtures/run-view.ts';

/** A response as a gateway sends it; or a whole view, for what isn't JSON. */
type Sent =
  | { body: JsonValue; media?: Media[]; deltas?: number }
  | { view: RunView; fileHash?: string };

function findRow(id: string): ProbeRow {
  return probeRows.find((row) => row.id === id) ?? expect.fail(id);
}

/** Folds a response of the row's operation as the engine does. */
function receive(row: ProbeRow, request: JsonObject, sent: Sent): RunView {
  if ('view' in sent) return sent.view;
  const numbered = { atMs: 1, exchange: 0 };
  const headers: [string, string][] = [['content-type', 'application/json']];
  const body = JSON.stringify(sent.body);
  const events: RunEvent[] = [
    {
      ...numbered,
      seq: 1,
      kind: 'request',
      method: 'POST',
      url: 'http://127.0.0.1/',
      headers,
      body: JSON.stringify(request),
    },
    { ...numbered, seq: 2, kind: 'response', status: 200, headers },
    { ...numbered, seq: 3, kind: 'body', text: body, truncated: false },
    ...(sent.media ?? []).map(
      (media, at): RunEvent => ({ ...numbered, seq: 4 + at, kind: 'media', media }),
    ),
    {
      ...numbered,
      seq: 99,
      kind: 'finish',
      timings: { ...noTimings, deltaCount: sent.deltas ?? 1 },
    },
  ];
  const run = runSummary({ operation: row.operation, model: MODEL, status: 'running' });
  return foldEvents(createInitialView(run), events).view;
}

const MODEL = 'small-1';

function answerAll(row: ProbeRow, respond: (name: string, request: JsonObject) => Sent): Answers {
  return Object.fromEntries(
    Object.entries(row.requests('')).map(([name, request]) => {
      const sent = { model: MODEL, ...request };
      const response = respond(name, sent);
      const answer: ProbeAnswer = {
        request: sent,
        view: receive(row, sent, response),
        ...('fileHash' in response && { fileHash: response.fileHash }),
      };
      return [name, answer];
    }),
  );
}

const STORY_A = `Mara kept the lamp. ${'The night was long and the sea was loud. '.repeat(5)}`;
const STORY_B = `Ines sold bread. ${'No ship came to the harbor for many days. '.repeat(5)}`;
const COUNTED =
  'one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen, fifteen, sixteen, seventeen, eighteen, nineteen, twenty, twenty-one, twenty-two, twenty-three, twenty-four, twenty-five, twenty-six, twenty-seven, twenty-eight, twenty-nine, thirty';
const TICKS = 'tick '.repeat(40).trim();

interface Said {
  finish?: string;
  usage?: JsonObject;
  model?: string;
  deltas?: number;
  message?: JsonObject;
  logprobs?: JsonValue;
}

function say(text: string | null, more: Said = {}): Sent {
  return sayAll([text], more);
}

const usage = (input: number, output: number, total = input + output, reasoning = 0) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: total,
  completion_tokens_details: { reasoning_tokens: reasoning },
});

function sayAll(texts: (string | null)[], more: Said = {}): Sent {
  return {
    deltas: more.deltas ?? 1,
    body: {
      model: more.model ?? MODEL,
      choices: texts.map((content, index) => ({
        index,
        message: { role: 'assistant', content, ...more.message },
        finish_reason: more.finish ?? 'stop',
        logprobs: more.logprobs ?? null,
      })),
      usage: more.usage ?? usage(20, Math.ceil((texts[0] ?? '').length / 4)),
    },
  };
}

const call = (...calls: [name: string, text: string][]): Sent =>
  say(null, {
    finish: 'tool_calls',
    message: {
      tool_calls: calls.map(([name, text], at) => ({
        id: `call_${at}`,
        type: 'function',
        function: { name, arguments: text },
      })),
    },
  });
const paris: [string, string] = ['get_weather', '{"city":"Paris"}'];
const rome: [string, string] = ['get_weather', '{"city":"Rome"}'];
const think = (tokens: number, message: JsonObject = {}) =>
  say('12', { usage: usage(20, tokens + 1, tokens + 21, tokens), message });
const chances = (alternatives: number) => ({
  content: [
    {
      token: 'Hi',
      logprob: -0.1,
      top_logprobs: ['Hi', 'Ho', 'Ha']
        .slice(0, alternatives)
        .map((token) => ({ token, logprob: -1 })),
    },
  ],
});

/** Answers by the request's name; `PLAIN` counts unless it is given. */
type Script = Record<string, Sent>;

const scriptOf = (script: Script) => (name: string) =>
  script[name] ?? (name === PLAIN ? say(COUNTED) : expect.fail(`no answer for ${name}`));

const one = (asked: Sent): Script => ({ asked });
const stories = (first: string, second: string, free: string, freeAgain: string, other = '') => ({
  first: say(first),
  second: say(second),
  free: say(free),
  freeAgain: say(freeAgain),
  other: say(other),
});
const thrice = (low: number[], high: number[]): Script =>
  Object.fromEntries([
    ...low.map((tokens, at) => [`low${at + 1}`, think(tokens)]),
    ...high.map((tokens, at) => [`high${at + 1}`, think(tokens)]),
  ]);
const seen = (text: string, input: number): Script => ({
  asked: say(text, { usage: usage(input, 5) }),
  blind: say('There is none.', { usage: usage(20, 5) }),
});
const json = (value: JsonValue) => one(say(JSON.stringify(value)));

const chatCases: [row: string, gateway: string, script: Script, verdict: string][] = [
  ['model-name', 'obeys', {}, 'honored'],
  [
    'model-name',
    'adds a version',
    { plain: say('Hi', { model: 'vendor/small-1-2025-08-06' }) },
    'honored',
  ],
  ['model-name', 'lies', { plain: say('Hi', { model: 'tiny-0' }) }, 'ignored'],
  ['stream', 'obeys', { whole: say(COUNTED), streamed: say(COUNTED, { deltas: 40 }) }, 'honored'],
  ['stream', 'ignores', { whole: say(COUNTED), streamed: say(COUNTED) }, 'ignored'],
  [
    'stream',
    'lies about the end',
    { whole: say(COUNTED), streamed: say(COUNTED, { deltas: 40, finish: 'length' }) },
    'ignored',
  ],
  [
    'stream',
    'varies',
    { whole: say(COUNTED), streamed: say(`${COUNTED}!`, { deltas: 40 }) },
    'unclear',
  ],
  ['stream', 'says little', { whole: say('Hi'), streamed: say('Hi', { deltas: 2 }) }, 'unclear'],
  ['stream-usage', 'obeys', one(say(COUNTED)), 'honored'],
  [
    'stream-usage',
    'ignores',
    one({ body: { model: MODEL, choices: [{ index: 0, message: { content: COUNTED } }] } }),
    'ignored',
  ],
  [
    'stream-usage',
    'lies about the total',
    one(say(COUNTED, { usage: usage(20, 70, 900) })),
    'ignored',
  ],
  ['stream-usage', 'lies about the length', one(say(COUNTED, { usage: usage(20, 3) })), 'ignored'],
  ['stream-usage', 'counts too much', one(say(COUNTED, { usage: usage(20, 900) })), 'ignored'],
  [
    'stream-usage',
    'may count hidden reasoning',
    one(say(COUNTED, { usage: { prompt_tokens: 20, completion_tokens: 900, total_tokens: 920 } })),
    'unclear',
  ],
  [
    'stream-usage',
    'counts the reasoning that it shows',
    one(
      say(COUNTED, {
        usage: { prompt_tokens: 20, completion_tokens: 900, total_tokens: 920 },
        message: { reasoning_content: 'I count on. '.repeat(300) },
      }),
    ),
    'honored',
  ],
  ['temperature', 'obeys', stories(STORY_A, STORY_A, STORY_A, STORY_B), 'honored'],
  ['temperature', 'ignores', stories(STORY_A, STORY_B, STORY_A, STORY_B), 'ignored'],
  ['temperature', 'keeps answers', stories(STORY_A, STORY_A, STORY_B, STORY_B), 'unclear'],
  [
    'temperature',
    'rounds',
    stories(STORY_A, `${STORY_A.slice(0, 90)}else.`, STORY_A, STORY_B),
    'unclear',
  ],
  ['temperature', 'says little', stories('Hi', 'Hi', 'Hi', 'Ho'), 'unclear'],
  ['seed', 'obeys', stories(STORY_A, STORY_A, STORY_A, STORY_B, STORY_B), 'honored'],
  ['seed', 'ignores', stories(STORY_A, STORY_B, STORY_A, STORY_B, STORY_A), 'ignored'],
  ['seed', 'never varies', stories(STORY_A, STORY_A, STORY_A, STORY_A, STORY_A), 'unclear'],
  [
    'seed',
    'has one answer for every seed',
    stories(STORY_A, STORY_A, STORY_A, STORY_B, STORY_A),
    'unclear',
  ],
  [
    'frequency-penalty',
    'obeys',
    { free: say(TICKS), asked: say('tick tick tick and tock') },
    'honored',
  ],
  ['frequency-penalty', 'ignores', { free: say(TICKS), asked: say(TICKS) }, 'ignored'],
  ['frequency-penalty', 'never repeats', { free: say('tick'), asked: say('tick') }, 'unclear'],
  [
    'presence-penalty',
    'obeys',
    { low: say(STORY_A), high: say(STORY_B), first: say(STORY_A), second: say(STORY_A) },
    'honored',
  ],
  [
    'presence-penalty',
    'ignores',
    { low: say(STORY_A), high: say(STORY_A), first: say(STORY_A), second: say(STORY_A) },
    'ignored',
  ],
  [
    'presence-penalty',
    'varies',
    { low: say(STORY_A), high: say(STORY_B), first: say(STORY_A), second: say(STORY_B) },
    'unclear',
  ],
  ['logit-bias', 'obeys', one(say(' cap cap cap cap cap cap')), 'honored'],
  ['logit-bias', 'ignores', one(say('Hello! How can I help?')), 'ignored'],
  ['logit-bias', 'says nothing', one(say('')), 'unclear'],
  ['stop', 'obeys', one(say('one, two, three, ')), 'honored'],
  ['stop', 'ignores', one(say(COUNTED)), 'ignored'],
  ['stop', 'never says it', { plain: say('No.'), asked: say('No.') }, 'unclear'],
  [
    'max-tokens',
    'obeys',
    one(say('one, two, three', { finish: 'length', usage: usage(20, 16) })),
    'honored',
  ],
  ['max-tokens', 'ignores', one(say(COUNTED, { usage: usage(20, 80) })), 'ignored'],
  ['max-tokens', 'lies', one(say(COUNTED, { finish: 'length', usage: usage(20, 16) })), 'ignored'],
  ['max-tokens', 'is always short', { plain: say('No.'), asked: say('No.') }, 'unclear'],
  ['max-completion-tokens', 'ignores', one(say(COUNTED, { usage: usage(20, 80) })), 'ignored'],
  ['n', 'obeys', one(sayAll(['Hi', 'Ho'])), 'honored'],
  ['n', 'ignores', one(say('Hi')), 'ignored'],
  ['logprobs', 'obeys', one(say('Hi', { logprobs: chances(0) })), 'honored'],
  ['logprobs', 'ignores', one(say('Hi')), 'ignored'],
  ['top-logprobs', 'obeys', one(say('Hi', { logprobs: chances(3) })), 'honored'],
  ['top-logprobs', 'ignores', one(say('Hi', { logprobs: chances(1) })), 'ignored'],
  ['json-object', 'obeys', json({ use: 'data' }), 'honored'],
  ['json-object', 'ignores', one(say('It carries data.')), 'ignored'],
  ['json-object', 'is cut', one(say('{"use', { finish: 'length' })), 'unclear'],
  ['json-object', 'always writes JSON', { plain: say('{}'), asked: say('{}') }, 'unclear'],
  ['json-schema', 'obeys', json({ note_zq: 'data' }), 'honored'],
  ['json-schema', 'ignores', json({ note: 'data' }), 'ignored'],
  ['json-schema-strict', 'adds a field', json({ note_zq: 'data', more: 1 }), 'ignored'],
  ['json-schema-nested', 'obeys', json({ outer_zq: { list_zq: [{ deep_zq: 1 }] } }), 'honored'],
  [
    'json-schema-nested',
    'lies inside',
    json({ outer_zq: { list_zq: [{ deep_zq: 'one' }] } }),
    'ignored',
  ],
  ['json-schema-enum', 'obeys', json({ choice_zq: 'zq-left' }), 'honored'],
  ['json-schema-enum', 'ignores', json({ choice_zq: 'left' }), 'ignored'],
  ['tools-auto', 'obeys', one(call(paris)), 'honored'],
  ['tools-auto', 'answers in words', one(say('Sunny.')), 'unclear'],
  ['tools-auto', 'invents arguments', one(call(['get_weather', '{"town":1}'])), 'ignored'],
  ['tools-auto', 'invents a tool', one(call(['get_news', '{}'])), 'ignored'],
  ['tools-required', 'obeys', one(call(paris)), 'honored'],
  ['tools-required', 'ignores', one(say('Hello.')), 'ignored'],
  ['tools-named', 'obeys', one(call(['ring_bell', '{}'])), 'honored'],
  ['tools-named', 'ignores', one(call(paris)), 'ignored'],
  ['tools-none', 'obeys', { auto: call(paris), asked: say('Sunny.') }, 'honored'],
  ['tools-none', 'ignores', { auto: call(paris), asked: call(paris) }, 'ignored'],
  ['tools-none', 'never calls', { auto: say('Sunny.'), asked: say('Sunny.') }, 'unclear'],
  ['tools-parallel', 'obeys', { several: call(paris, rome), single: call(paris) }, 'honored'],
  [
    'tools-parallel',
    'ignores',
    { several: call(paris, rome), single: call(paris, rome) },
    'ignored',
  ],
  ['tools-parallel', 'calls one by one', { several: call(paris), single: call(paris) }, 'unclear'],
  ['tools-no-parameters', 'obeys', one(call(['ring_bell', ''])), 'honored'],
  ['tools-no-parameters', 'invents one', one(call(['ring_bell', '{"times":2}'])), 'ignored'],
  ['tools-no-parameters', 'ignores', one(say('Hello.')), 'ignored'],
  ['tools-image-result', 'obeys', seen('red, yellow, blue, green', 120), 'honored'],
  ['tools-image-result', 'ignores', seen('I see none.', 20), 'ignored'],
  ['image-input', 'obeys', seen('Red, yellow, blue, and green.', 120), 'honored'],
  ['image-input', 'ignores', seen('I see no image.', 20), 'ignored'],
  ['image-input', 'misreads', seen('Red, red, blue, green', 120), 'unclear'],
  ['image-input', 'mixes the order', seen('green, blue, yellow, red', 120), 'unclear'],
  ['audio-input', 'obeys', seen('Long, short, short, long, short.', 120), 'honored'],
  ['audio-input', 'guesses', seen('short, long, short, long, short', 120), 'unclear'],
  ['audio-input', 'ignores', seen('There is no recording.', 20), 'ignored'],
  ['file-input', 'obeys', one(say('walnut7341')), 'honored'],
  ['file-input', 'ignores', one(say('I can’t open files.')), 'ignored'],
  ['system-role', 'obeys', one(say('system93')), 'honored'],
  ['system-role', 'ignores', one(say('Paris')), 'ignored'],
  ['developer-role', 'obeys', one(say('developer93')), 'honored'],
  ['developer-role', 'ignores', one(say('Paris')), 'ignored'],
  ['long-unicode', 'obeys', one(say(UNICODE_LINE)), 'honored'],
  [
    'long-unicode',
    'loses characters',
    one(say(`${UNICODE_LINE.slice(0, 5)}\uFFFD\uFFFD`)),
    'ignored',
  ],
  ['long-unicode', 'shortens', one(say('end')), 'unclear'],
  ['reasoning', 'obeys', { high1: think(40) }, 'honored'],
  ['reasoning', 'ignores', { high1: say('12') }, 'ignored'],
  ['reasoning-effort', 'obeys', thrice([10, 12, 14], [40, 50, 60]), 'honored'],
  ['reasoning-effort', 'ignores', thrice([0, 0, 0], [0, 0, 0]), 'ignored'],
  ['reasoning-effort', 'varies', thrice([10, 12, 44], [40, 50, 60]), 'unclear'],
  [
    'reasoning-signed',
    'obeys',
    {
      high1: think(40, {
        reasoning_details: [{ type: 'reasoning.text', text: 'Hm', signature: 'c2ln' }],
      }),
    },
    'honored',
  ],
  [
    'reasoning-signed',
    'encrypts',
    { high1: think(40, { reasoning_details: [{ type: 'reasoning.encrypted', data: 'c2ln' }] }) },
    'honored',
  ],
  ['reasoning-signed', 'ignores', { high1: think(40, { reasoning_content: 'Hm' }) }, 'ignored'],
  ['reasoning-signed', 'doesn’t reason', { high1: say('12') }, 'unclear'],
  ['unknown-field', 'ignores', one(say('Hello.')), 'ignored'],
];

const listed = (...rows: JsonValue[]): Script => ({
  asked: {
    view: runView('console', {
      status: 'succeeded',
      model: MODEL,
      state: { text: JSON.stringify({ data: rows }) },
    }),
  },
});
const image = (width: number, height: number): Sent => ({
  view: runView('image', {
    status: 'succeeded',
    media: [medium({ kind: 'image', width, height })],
  }),
});
const images = (count: number): Sent => ({
  view: runView('image', {
    status: 'succeeded',
    media: Array.from({ length: count }, (_, at) => medium({ id: `i${at}`, kind: 'image' })),
  }),
});
const video = (durationSeconds: number, width: number, height: number): Sent => ({
  view: runView('video', {
    status: 'succeeded',
    media: [medium({ kind: 'video', width, height, durationSeconds })],
  }),
});
const sound = (receivedFormat: 'mp3' | 'wav', durationSeconds = 4, fileHash = 'a'): Sent => ({
  view: runView('speech', {
    status: 'succeeded',
    state: { receivedFormat },
    media: [medium({ kind: 'audio', durationSeconds })],
  }),
  fileHash,
});
const voices = (voice: string, again: string, other: string): Script => ({
  plain: sound('mp3'),
  voice: sound('mp3', 4, voice),
  again: sound('mp3', 4, again),
  other: sound('mp3', 4, other),
});
const heard = (format: 'json' | 'text' | 'verbose_json', words = 0, segments = 0): Sent => ({
  view: runView('transcription', {
    status: 'succeeded',
    state: {
      format,
      words: Array(words).fill({ word: 'Hi', start: 0, end: 1 }),
      segments: Array(segments).fill({ id: 0, text: 'Hi', start: 0, end: 1 }),
    },
  }),
});
const ranked = (count: number, document?: string): Sent => ({
  body: {
    results: Array.from({ length: count }, (_, index) => ({
      index,
      relevance_score: 1 - index / 10,
      ...(document !== undefined && { document: { text: document } }),
    })),
  },
});
const embedded = (count: number, dimensions: number, encoding = 'float'): Sent => ({
  view: runView('embeddings', {
    status: 'succeeded',
    state: { dimensions, encoding, vectorCount: count },
  }),
});
const twoVideos = (one: Sent, other: Sent): Script => ({ one, other });
const both = (plain: Sent, asked: Sent): Script => ({ plain, asked });

const mediaCases: typeof chatCases = [
  ['model-list', 'obeys', listed({ id: MODEL }), 'honored'],
  ['model-list', 'hides it', listed({ id: 'other' }), 'ignored'],
  [
    'model-list',
    'has no list',
    {
      asked: {
        view: runView('console', { status: 'succeeded', model: MODEL, state: { text: '<html>' } }),
      },
    },
    'unclear',
  ],
  ['model-facts', 'obeys', listed({ id: MODEL, context_length: 8192 }), 'honored'],
  ['model-facts', 'ignores', listed({ id: MODEL, object: 'model' }), 'ignored'],
  ['model-facts', 'hides the model', listed({ id: 'other' }), 'unclear'],
  ['image-ratio-16-9', 'obeys', both(image(1024, 1024), image(1365, 768)), 'honored'],
  ['image-ratio-16-9', 'ignores', both(image(1024, 1024), image(1024, 1024)), 'ignored'],
  ['image-ratio-1-1', 'has it as default', both(image(1024, 1024), image(1024, 1024)), 'unclear'],
  ['image-size-2K', 'obeys', both(image(1024, 1024), image(2048, 2048)), 'honored'],
  ['image-size-2K', 'ignores', both(image(1024, 1024), image(1024, 1024)), 'ignored'],
  ['images-size-1536x1024', 'obeys', both(image(1024, 1024), image(1536, 1024)), 'honored'],
  ['images-size-1536x1024', 'ignores', both(image(1024, 1024), image(1024, 1024)), 'ignored'],
  ['images-n', 'obeys', both(images(1), images(2)), 'honored'],
  ['images-n', 'ignores', both(images(1), images(1)), 'ignored'],
  ['video-duration', 'obeys', twoVideos(video(4, 1280, 720), video(8, 720, 1280)), 'honored'],
  ['video-duration', 'ignores', twoVideos(video(4, 1280, 720), video(4, 1280, 720)), 'ignored'],
  ['video-size', 'obeys', twoVideos(video(4, 1280, 720), video(8, 720, 1280)), 'honored'],
  ['video-size', 'ignores', twoVideos(video(4, 1280, 720), video(8, 1280, 720)), 'ignored'],
  ['top-n', 'obeys', both(ranked(4), ranked(2)), 'honored'],
  ['top-n', 'ignores', both(ranked(4), ranked(4)), 'ignored'],
  [
    'return-documents',
    'obeys',
    { ...both(ranked(4), ranked(4, 'Text')), off: ranked(4) },
    'honored',
  ],
  ['return-documents', 'ignores', { ...both(ranked(4), ranked(4)), off: ranked(4) }, 'ignored'],
  [
    'return-documents',
    'always sends them',
    { ...both(ranked(4, 'T'), ranked(4, 'T')), off: ranked(4, 'T') },
    'ignored',
  ],
  ['dimensions', 'obeys', both(embedded(3, 384), embedded(3, 64)), 'honored'],
  ['dimensions', 'ignores', both(embedded(3, 384), embedded(3, 384)), 'ignored'],
  ['base64', 'obeys', both(embedded(3, 384), embedded(3, 384, 'base64')), 'honored'],
  ['base64', 'ignores', both(embedded(3, 384), embedded(3, 384)), 'ignored'],
  ['batch', 'obeys', { plain: embedded(3, 384) }, 'honored'],
  ['batch', 'answers only the first', { plain: embedded(1, 384) }, 'ignored'],
  ['speech-wav', 'obeys', both(sound('mp3'), sound('wav')), 'honored'],
  ['speech-wav', 'ignores', both(sound('mp3'), sound('mp3')), 'ignored'],
  ['speech-mp3', 'has it as default', both(sound('mp3'), sound('mp3')), 'unclear'],
  ['voice-echo', 'obeys', voices('a', 'a', 'b'), 'honored'],
  ['voice-echo', 'ignores', voices('a', 'a', 'a'), 'ignored'],
  ['voice-echo', 'varies', voices('a', 'b', 'c'), 'unclear'],
  ['speed', 'obeys', both(sound('mp3', 4), sound('mp3', 2.1)), 'honored'],
  ['speed', 'ignores', both(sound('mp3', 4), sound('mp3', 4)), 'ignored'],
  ['speed', 'goes halfway', both(sound('mp3', 4), sound('mp3', 2.7)), 'unclear'],
  ['transcript-text', 'obeys', both(heard('json'), heard('text')), 'honored'],
  ['transcript-text', 'ignores', both(heard('json'), heard('json')), 'ignored'],
  ['transcript-json', 'has it as default', both(heard('json'), heard('json')), 'unclear'],
  [
    'timestamps-word',
    'obeys',
    { plain: heard('json'), verbose: heard('verbose_json', 0, 1), asked: heard('verbose_json', 2) },
    'honored',
  ],
  [
    'timestamps-word',
    'ignores',
    {
      plain: heard('json'),
      verbose: heard('verbose_json', 0, 1),
      asked: heard('verbose_json', 0, 1),
    },
    'ignored',
  ],
  [
    'timestamps-segment',
    'has them as default',
    {
      plain: heard('json'),
      verbose: heard('verbose_json', 0, 1),
      asked: heard('verbose_json', 0, 1),
    },
    'unclear',
  ],
];

describe('the rule', () => {
  it.each([...chatCases, ...mediaCases])(
    'of %s on a gateway that %s is decided',
    (id, _gateway, script, verdict) => {
      const row = findRow(id);
      const judgment = judgeRow(row, answerAll(row, scriptOf(script)));
      expect({ verdict: judgment.verdict, sentence: judgment.sentence }).toMatchObject({ verdict });
      expect(judgment.sentence).toMatch(/^[A-Z\d].*[.!]$/s);
    },
  );

  it('of every row has a case that it honors and one that it contradicts', () => {
    const cases = [...chatCases, ...mediaCases];
    const having = (verdict: string) =>
      new Set(cases.flatMap(([id, , , found]) => (found === verdict ? [id] : [])));
    // These share a rule with a row of another value.
    const isRepeated = (id: string) =>
      /^(?:speech|voice|transcript|timestamps|image-ratio|image-size|images-size)-/.test(id);
    const rest = probeRows.filter(({ id }) => !isRepeated(id)).map(({ id }) => id);
    expect(rest.filter((id) => !having('ignored').has(id))).toEqual(['order']);
    expect(rest.filter((id) => !having('honored').has(id))).toEqual([
      'max-completion-tokens',
      'json-schema-strict',
      'unknown-field',
      'order',
    ]);
  });

  it('says how likely agreement is by chance', () => {
    const judge = (id: string, script: Script) => {
      const row = findRow(id);
      return judgeRow(row, answerAll(row, scriptOf(script)));
    };
    expect(judge('audio-input', seen('long short short long short', 120))).toMatchObject({
      verdict: 'honored',
      chance: 1 / 32,
    });
    expect(judge('reasoning-effort', thrice([1, 2, 3], [4, 5, 6]))).toMatchObject({
      verdict: 'honored',
      chance: 0.05,
    });
    expect(judge('n', one(sayAll(['Hi', 'Ho'])))).toMatchObject({ chance: null });
  });

  it.each([
    [
      'reversed',
      [
        [0, 0, 1],
        [0, 1, 0],
        [1, 0, 0],
      ],
      'honored',
    ],
    [
      'in the order of the first',
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      'ignored',
    ],
    [
      'missing one',
      [
        [0, 0, 1],
        [0, 1, 0],
      ],
      'unclear',
    ],
    [
      'all equal',
      [
        [1, 0, 0],
        [1, 0, 0],
        [1, 0, 0],
      ],
      'ignored',
    ],
  ])('of the order of vectors that come %s is decided', (_title, back, verdict) => {
    const row = findRow('order');
    const answers = answerAll(row, () => embedded(3, 3));
    const there = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    const { plain, reversed } = answers;
    if (plain === undefined || reversed === undefined) expect.fail();
    const judgment = judgeRow(row, {
      plain: { ...plain, vectors: there },
      reversed: { ...reversed, vectors: back },
    });
    expect(judgment.verdict).toBe(verdict);
  });
});

describe('before its rule, a row', () => {
  const fine = (row: ProbeRow) => runView(row.operation, { status: 'succeeded' });
  const fail = (row: ProbeRow, httpStatus: number | null) =>
    runView(row.operation, {
      status: 'failed',
      httpStatus,
      error: appError('http', 'It failed.', 'Try again.', { retryAfterSeconds: null }),
    });
  const answer = (row: ProbeRow, get: (name: string) => RunView | null): Answers =>
    Object.fromEntries(
      Object.entries(row.requests('')).map(([name, request]) => [
        name,
        { request, view: get(name) },
      ]),
    );
  const isAsked = ({ fields, requests }: ProbeRow, name: string) => {
    const { [name]: request = {} } = requests('');
    const hasField = fields.some((field) => field.replace(/\..*/, '') in request);
    return name !== PLAIN && (hasField || fields.length === 0);
  };
  const isOnlyPlain = (row: ProbeRow) =>
    Object.keys(row.requests('')).every((name) => name === PLAIN);

  it.each(
    probeRows
      .filter((row) => !isOnlyPlain(row) && row.operation !== 'video')
      .map((row) => [row.id, row] as const),
  )('%s is rejected by a 4xx, but not by one that says nothing about the field', (_id, row) => {
    const at = (status: number | null) =>
      judgeRow(
        row,
        answer(row, (name) => (isAsked(row, name) ? fail(row, status) : fine(row))),
      );
    for (const status of [400, 405, 413, 415, 422]) {
      expect(at(status)).toMatchObject({
        verdict: 'rejected',
        sentence: `Rejected with ${status}: It failed.`,
        chance: null,
      });
    }
    for (const status of [null, 200, 401, 403, 404, 408, 429, 500, 502, 503]) {
      expect(at(status).verdict).toBe('unclear');
    }
  });

  it.each([
    ['This model makes no videos.', 'unclear'],
    ['Unrecognized request argument supplied: width', 'rejected'],
  ])('that is never asked without its field is decided by %j', (reason, verdict) => {
    const row = findRow('video-size');
    const rejected = runView('video', {
      status: 'failed',
      httpStatus: 400,
      error: appError('http', reason, 'Try again.', { retryAfterSeconds: null }),
    });
    const judgment = judgeRow(
      row,
      answer(row, () => rejected),
    );
    expect(judgment.verdict).toBe(verdict);
  });

  it('can’t be told if the request without the field fails for another reason', () => {
    const row = findRow('seed');
    for (const status of [null, 429, 500, 503]) {
      const asked = answer(row, (name) => fail(row, name === PLAIN ? status : 400));
      expect(judgeRow(row, asked).verdict).toBe('unclear');
    }
  });

  it('is decided in linear time on a text of many megabytes', async () => {
    const create = (length: number) =>
      runView('chat', {
        status: 'succeeded',
        state: { choices: [chatChoice({ content: `${'a'.repeat(length)}${'b'.repeat(40)}` })] },
      });
    const rows = probeRows.filter(({ operation }) => operation === 'chat');
    await expectLinear(16_000_000, create, (view) => {
      for (const row of rows) {
        judgeRow(
          row,
          answer(row, () => view),
        );
      }
    });
  });

  it('quotes one short line of a gateway, without characters that reverse text', () => {
    const row = findRow('tools-required');
    const script = one(call([`get\u202E\n${'z'.repeat(1_000_000)}`, '{}']));
    const { verdict, sentence } = judgeRow(row, answerAll(row, scriptOf(script)));
    expect(verdict).toBe('ignored');
    expect(sentence).toMatch(/^The answer calls get z+…$/);
    expect(sentence.length).toBeLessThan(500);
  });

  it.each([
    ['presence-penalty', 'first'],
    ['seed', 'free'],
    ['tools-none', 'auto'],
    ['timestamps-word', 'verbose'],
  ])('%s can’t be told if “%s”, which lacks the field, is rejected too', (id, control) => {
    const row = findRow(id);
    const judgment = judgeRow(
      row,
      answer(row, (name) => (name === control || isAsked(row, name) ? fail(row, 400) : fine(row))),
    );
    expect(judgment).toMatchObject({
      verdict: 'unclear',
      sentence: 'The request is rejected without the field too.',
    });
  });

  it.each(['voice-alloy', 'seed', 'video-duration'])(
    '%s can’t be told if only the other value is rejected',
    (id) => {
      const row = findRow(id);
      const judgment = judgeRow(
        row,
        answer(row, (name) => (name === 'other' ? fail(row, 400) : fine(row))),
      );
      expect(judgment).toMatchObject({
        verdict: 'unclear',
        sentence: 'A request failed: 400, It failed.',
      });
    },
  );

  it('can’t be told if another field is rejected', () => {
    const row = findRow('presence-penalty');
    const reject = (reason: string) => {
      const view = runView('chat', {
        status: 'failed',
        httpStatus: 400,
        error: appError('http', reason, 'Try again.', { retryAfterSeconds: null }),
      });
      const asked = answer(row, (name) => (isAsked(row, name) ? view : fine(row)));
      return judgeRow(row, asked).verdict;
    };
    expect(reject("Unsupported value: 'temperature' does not support 0.")).toBe('unclear');
    expect(reject('presence_penalty needs another temperature.')).toBe('rejected');
    expect(reject('Bad request.')).toBe('rejected');
  });

  it.each(probeRows.map((row) => [row.id, row] as const))(
    '%s can’t be told while a run is missing, running or stopped, or if all requests fail',
    (_id, row) => {
      const running = runView(row.operation, { status: 'running' });
      const stopped = runView(row.operation, { status: 'cancelled' });
      for (const view of [null, running, stopped, fail(row, 400), fail(row, null)]) {
        const judgment = judgeRow(
          row,
          answer(row, () => view),
        );
        const isWithoutPlain = !Object.keys(row.requests('')).includes(PLAIN);
        const isRejected = view?.httpStatus === 400 && isWithoutPlain && row.operation !== 'video';
        expect(judgment.verdict).toBe(isRejected ? 'rejected' : 'unclear');
      }
    },
  );

  it.each(probeRows.map((row) => [row.id, row] as const))(
    '%s never throws on an empty response',
    (_id, row) => {
      const judgment = judgeRow(
        row,
        answer(row, () => fine(row)),
      );
      expect(judgment.verdict).not.toBe('honored');
    },
  );
});

describe('the rows', () => {
  it('have different IDs, and fields of their forms', () => {
    expect(new Set(probeRows.map(({ id }) => id)).size).toBe(probeRows.length);
  });

  it('are asked only in chat formats that send their fields', () => {
    const ids = (format: '' | 'messages' | 'responses') =>
      listProbeRows('chat', format).map(({ id }) => id);
    expect(ids('')).toContain('seed');
    expect(ids('messages')).not.toContain('seed');
    expect(ids('messages')).not.toContain('json-object');
    expect(ids('messages')).toContain('stop');
    expect(ids('responses')).not.toContain('stop');
    expect(ids('responses')).toContain('json-schema-strict');
  });

  it('send a request once for several rows, but as often as one row needs it', () => {
    const requests = listProbeRequests(listProbeRows('chat', ''), '');
    const plain = requests.filter(
      ({ request }) =>
        JSON.stringify(request) ===
        JSON.stringify({ messages: [{ role: 'user', content: COUNT }] }),
    );
    expect(plain).toHaveLength(1);
    expect(plain[0]?.uses.length).toBeGreaterThan(30);
    const hot = requests.filter(({ request }) => request.temperature === 1 && !('seed' in request));
    expect(hot.map(({ uses }) => uses.map(({ rowId }) => rowId))).toEqual([
      ['temperature', 'seed'],
      ['temperature', 'seed'],
    ]);
    expect(new Set(requests.map(({ id }) => id)).size).toBe(requests.length);
  });
});
