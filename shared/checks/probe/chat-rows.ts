/** The rows of a probe that ask chat models. */
import { estimateTokens } from '../../estimate-tokens.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { viewAnswer } from '../../operations/chat/answer-view.ts';
import { readArguments } from '../../operations/chat/call-arguments.ts';
import type { ChatChoice } from '../../operations/chat/state.ts';
import { readTokens } from '../../operations/response/token-probabilities.ts';
import { getTokenCounts } from '../../operations/response/usage.ts';
import { isRunOf } from '../../run-view.ts';
import {
  type Answers,
  agree,
  cannotTell,
  contradict,
  type Judge,
  type Judgment,
  PLAIN,
  type ProbeContext,
  type ProbeRequest,
  type ProbeRow,
} from './judge-row.ts';
import {
  ask,
  BEEP_QUESTION,
  BEEPS,
  bellTool,
  CODE_WORD,
  COLOR_QUESTION,
  COLORS,
  COUNT,
  FILE_QUESTION,
  getBeeps,
  getCodeFile,
  getUnicodeQuestion,
  HELLO,
  instruct,
  PROSE,
  PUZZLE,
  SQUARES,
  STORY,
  schemaFormats,
  TICKS,
  TWO_CITIES,
  UNICODE_LINE,
  WEATHER,
  weatherTool,
} from './questions.ts';
import {
  callTool,
  changeAnswer,
  followAsked,
  getText,
  getView,
  holdAlways,
  listCalls,
  nameSeen,
  repeatAnswer,
  TEXT,
} from './rules.ts';

/** Returns the first choice of a chat answer. */
function getChoice(answers: Answers, name: string): ChatChoice | undefined {
  const view = getView(answers, name);
  return view !== null && isRunOf(view, 'chat') ? view.state.choices[0] : undefined;
}

function getCounts(answers: Answers, name: string) {
  return getTokenCounts(getView(answers, name)?.figures?.usage ?? null);
}

/** A streamed answer must arrive in pieces and agree with the whole one. */
function judgeStream(answers: Answers): Judgment {
  const [whole, streamed] = [getText(answers, 'whole'), getText(answers, 'streamed')];
  if (estimateTokens(whole) < MIN_STREAMED_TOKENS) {
    return cannotTell('The answer is too short to compare.', 'whole', TEXT);
  }
  const pieces = getView(answers, 'streamed')?.timings?.deltaCount ?? 0;
  if (pieces <= 1) {
    return contradict('The streamed answer came in one piece.', 'streamed', 'choices[0].delta');
  }
  const [one, other] = ['whole', 'streamed'].map((name) => getChoice(answers, name)?.finishReason);
  if (one !== other) {
    const note = `The finish reason is ${one} in the response and ${other} in the stream.`;
    return contradict(note, 'streamed', 'choices[0].finish_reason');
  }
  if (whole === streamed) {
    return agree(`Both texts are equal; the stream had ${pieces} pieces.`, 'streamed', TEXT);
  }
  return cannotTell('The texts differ, as two answers may.', 'streamed', TEXT);
}

const MIN_STREAMED_TOKENS = 30;

const USED = 'usage.completion_tokens';
/** Counts outside of this range of the estimate can't be of the text. */
const USAGE_FACTOR = 4;

function judgeUsage(answers: Answers): Judgment {
  const { output, reasoning } = getCounts(answers, 'asked');
  if (output === null) return contradict('The stream has no usage.', 'asked', 'usage');
  const sums = holdAlways('usage', '', 'asked').judge(answers);
  if (sums.verdict === 'ignored') return sums;
  const choice = getChoice(answers, 'asked');
  const thought = choice === undefined ? '' : viewAnswer(choice).reasoning;
  const estimate = estimateTokens(getText(answers, 'asked') + (reasoning === null ? thought : ''));
  const counted = output - (reasoning ?? 0);
  const note = `The usage counts ${counted} output tokens for a text of about ${Math.round(estimate)}.`;
  if (counted < estimate / USAGE_FACTOR) return contradict(note, 'asked', USED);
  if (counted > estimate * USAGE_FACTOR) {
    if (reasoning !== null) return contradict(note, 'asked', USED);
    return cannotTell(`${note} It may count hidden reasoning.`, 'asked', USED);
  }
  return agree(`The stream counts ${output} output tokens.`, 'asked', 'usage');
}

const MAX_ASKED_TOKENS = 16;
/** A token rarely has more characters in English. */
const MAX_TOKEN_LENGTH = 12;

/** The text decides before the usage, which a gateway may make up. */
const judgeMaxTokens: Judge = (answers) => {
  const text = getText(answers, 'asked');
  if (text.length > MAX_ASKED_TOKENS * MAX_TOKEN_LENGTH) {
    const note = `Asked for at most ${MAX_ASKED_TOKENS} tokens, got ${text.length} characters.`;
    return contradict(note, 'asked', TEXT);
  }
  return followAsked('max-tokens', '').judge(answers);
};

const MIN_TICKS = 36;

/** After 36 repeats a penalty of 2 has grown to 72, which no model overcomes. */
const judgeFrequency: Judge = (answers) => {
  const [free, asked] = ['free', 'asked'].map(
    (name) => getText(answers, name).match(/\btick\b/gi)?.length ?? 0,
  );
  if ((free ?? 0) < MIN_TICKS) {
    return cannotTell('The model doesn’t repeat the word without a penalty.', 'free', TEXT);
  }
  const note = `The word is repeated ${free} times without the penalty, ${asked} times with it.`;
  return (asked ?? 0) >= MIN_TICKS ? contradict(note, 'asked', TEXT) : agree(note, 'asked', TEXT);
};

/** Any token with a bias of 100 is repeated to the end, whatever text the tokenizer has for it. */
const judgeBias: Judge = (answers) => {
  const text = getText(answers, 'asked').trim();
  if (text === '') return cannotTell('The answer is empty.', 'asked', TEXT);
  if (/^(.{1,24}?)\1{3,}.{0,24}$/su.test(text)) {
    return agree('The answer repeats the favored token.', 'asked', TEXT);
  }
  return contradict('The answer doesn’t repeat the favored token.', 'asked', TEXT);
};

function judgeLogprobs(alternatives: number): Judge {
  return (answers) => {
    const tokens = readTokens(getChoice(answers, 'asked')?.logprobs);
    if (tokens.length === 0 || tokens.some(({ probability }) => probability === null)) {
      return contradict('The answer has no log probabilities.', 'asked', 'choices[0].logprobs');
    }
    const fewest = Math.min(...tokens.map((token) => token.alternatives.length));
    const note = `${tokens.length} tokens with at least ${fewest} alternatives each.`;
    return (fewest < alternatives ? contradict : agree)(note, 'asked', 'choices[0].logprobs');
  };
}

const CALLS = 'choices[0].message.tool_calls';

/** A model may answer in words, so only a wrong call counts against it. */
const judgeAuto: Judge = (answers) => {
  if (listCalls(answers, 'asked').length === 0) {
    return cannotTell('The model answered in words, which it may.', 'asked', CALLS);
  }
  return callTool({ tool: 'get_weather', chance: 0, counterexample: '' }).judge(answers);
};

const judgeNone: Judge = (answers) => {
  if (listCalls(answers, 'asked').length > 0) {
    return contradict('The answer calls a tool.', 'asked', CALLS);
  }
  if (listCalls(answers, 'auto').length === 0) {
    return cannotTell('The model calls no tool without the field either.', 'auto', CALLS);
  }
  return agree('No call, unlike without the field.', 'asked', CALLS);
};

const judgeParallel: Judge = (answers) => {
  const [several, single] = ['several', 'single'].map((name) => listCalls(answers, name).length);
  const note = `${several} calls if several are allowed, ${single} if only one is.`;
  if ((single ?? 0) > 1) return contradict(note, 'single', CALLS);
  if ((several ?? 0) > 1 && single === 1) return agree(note, 'single', CALLS);
  return cannotTell(`${note} The model may prefer one call.`, 'several', CALLS);
};

const judgeNoParameters: Judge = (answers) => {
  const [call] = listCalls(answers, 'asked');
  if (call === undefined) return contradict('The answer calls no tool.', 'asked', CALLS);
  const given = readArguments(call.arguments);
  const isEmpty = given !== null && Object.keys(given).length === 0;
  const note = `The tool without parameters is called with ${call.arguments || 'nothing'}.`;
  return (isEmpty ? agree : contradict)(note, 'asked', CALLS);
};

const REASONING = 'choices[0].message.reasoning';

function countReasoning(answers: Answers, name: string): number {
  const choice = getChoice(answers, name);
  const { reasoning } = getCounts(answers, name);
  if (reasoning !== null && reasoning > 0) return reasoning;
  return choice === undefined ? 0 : Math.round(estimateTokens(viewAnswer(choice).reasoning));
}

const judgeReasoning: Judge = (answers) => {
  const count = countReasoning(answers, 'high1');
  const note = `The response has ${count} tokens of reasoning.`;
  return (count > 0 ? agree : contradict)(note, 'high1', REASONING);
};

const EFFORTS = ['1', '2', '3'];
/** The chance that the three highest of six equal counts are those of one effort. */
const EFFORT_CHANCE = 1 / 20;

const judgeEffort: Judge = (answers) => {
  const [low, high] = ['low', 'high'].map((name) =>
    EFFORTS.map((number) => countReasoning(answers, name + number)),
  ) as [number[], number[]];
  const note = `Reasoning tokens: ${low.join(', ')} at low effort, ${high.join(', ')} at high.`;
  if (new Set([...low, ...high]).size === 1) return contradict(note, 'high1', REASONING);
  if (Math.min(...high) > Math.max(...low)) {
    return agree(note, 'high1', REASONING, EFFORT_CHANCE);
  }
  return cannotTell(note, 'high1', REASONING);
};

const SIGNATURES = /^(?:signature|thought_?signature|encrypted_content|reasoning_opaque)$/i;

/** Returns true if a field at any depth has a signature, or encrypted reasoning. */
function isSigned(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.some(isSigned);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([name, inner]) =>
      (typeof inner === 'string' &&
        inner !== '' &&
        (SIGNATURES.test(name) || (name === 'data' && value.type === 'reasoning.encrypted'))) ||
      isSigned(inner),
  );
}

const judgeSigned: Judge = (answers) => {
  if (countReasoning(answers, 'high1') === 0) {
    return cannotTell('The response has no reasoning.', 'high1', REASONING);
  }
  const signed = isSigned(getChoice(answers, 'high1')?.message);
  const note = `The reasoning came ${signed ? 'signed or encrypted' : 'without a signature'}.`;
  return (signed ? agree : contradict)(note, 'high1', REASONING);
};

/** Only a rejection is decided before, so a response means that the field was passed over. */
const judgeUnknown: Judge = () =>
  contradict('An unknown field is accepted without an error.', 'asked', '');

const judgeUnicode: Judge = (answers) => {
  const text = getText(answers, 'asked');
  if (text.includes(UNICODE_LINE)) return agree('The line came back unchanged.', 'asked', TEXT);
  if (/\uFFFD|\?{3,}|Ã.|â€/.test(text)) return contradict('Characters were lost.', 'asked', TEXT);
  return cannotTell('The line came back otherwise; the model may have changed it.', 'asked', TEXT);
};

const SEEN_COLORS = 0.001;
const SEEN_BEEPS = 1 / 2 ** BEEPS.length;

function showImage(withImage: boolean): ProbeRequest {
  const image = { type: 'image_url', image_url: { url: SQUARES } };
  return ask([{ type: 'text', text: COLOR_QUESTION }, ...(withImage ? [image] : [])]);
}

function playBeeps(withAudio: boolean): ProbeRequest {
  const audio = { type: 'input_audio', input_audio: { data: getBeeps(), format: 'wav' } };
  return ask([{ type: 'text', text: BEEP_QUESTION }, ...(withAudio ? [audio] : [])]);
}

function sendFile(): ProbeRequest {
  const file = { type: 'file', file: { filename: 'code.pdf', file_data: getCodeFile() } };
  return ask([{ type: 'text', text: FILE_QUESTION }, file]);
}

/** Sends a tool result with or without an image. */
function sendResult(withImage: boolean): ProbeRequest {
  const called = { name: 'ring_bell', arguments: '{}' };
  const image = { type: 'image_url', image_url: { url: SQUARES } };
  const result = [{ type: 'text', text: 'A photo.' }, ...(withImage ? [image] : [])];
  return {
    request: {
      messages: [
        { role: 'user', content: `Ring the bell. ${COLOR_QUESTION}` },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_probe1', type: 'function', function: called }],
        },
        { role: 'tool', tool_call_id: 'call_probe1', content: result },
      ],
      tools: [bellTool],
    },
  };
}

/** In the Messages format, an effort alone doesn't start thinking. */
function think({ format }: ProbeContext, effort: string): ProbeRequest {
  const thinking: JsonObject =
    format === 'messages'
      ? { thinking: { type: 'enabled', budget_tokens: 2048 }, max_tokens: 4096 }
      : {};
  return ask(PUZZLE, { reasoning_effort: effort, ...thinking });
}

function thinkThrice(context: ProbeContext, effort: string): Record<string, ProbeRequest> {
  return Object.fromEntries(EFFORTS.map((number) => [effort + number, think(context, effort)]));
}

const cold = ask(STORY, { temperature: 0 });
const hot = ask(STORY, { temperature: 1 });
const free = { free: hot, freeAgain: hot };

type Row = Omit<ProbeRow, 'operation' | 'group' | 'requests'> & {
  requests: ProbeRow['requests'] | Readonly<Record<string, ProbeRequest>>;
};

const groups: Record<string, readonly Row[]> = {
  Response: [
    {
      id: 'model-name',
      label: 'Model in the response',
      fields: ['model'],
      requests: {},
      ...holdAlways('model', 'The response names another model'),
    },
    {
      id: 'stream',
      label: 'Stream and whole response agree',
      fields: ['stream'],
      requests: {
        whole: ask(COUNT, { stream: false }),
        streamed: ask(COUNT, { stream: true }),
      },
      counterexample: 'The stream is a single piece, or ends for another reason',
      judge: judgeStream,
    },
    {
      id: 'stream-usage',
      label: 'Usage in the stream',
      fields: ['stream_options'],
      requests: {
        asked: ask(COUNT, { stream: true, stream_options: { include_usage: true } }),
      },
      counterexample: 'No usage, one that doesn’t add up, or four times off the text’s length',
      judge: judgeUsage,
    },
  ],
  Sampling: [
    {
      id: 'temperature',
      label: 'Temperature 0 twice',
      fields: ['temperature'],
      requests: { first: cold, second: cold, ...free },
      ...repeatAnswer({ field: 'temperature 0', hasOther: false }),
    },
    {
      id: 'seed',
      label: 'Seed twice',
      fields: ['seed'],
      requests: {
        first: ask(STORY, { temperature: 1, seed: 7 }),
        second: ask(STORY, { temperature: 1, seed: 7 }),
        other: ask(STORY, { temperature: 1, seed: 8 }),
        ...free,
      },
      ...repeatAnswer({ field: 'seed', hasOther: true }),
    },
    {
      id: 'frequency-penalty',
      label: 'Frequency penalty',
      fields: ['frequency_penalty'],
      requests: { free: ask(TICKS), asked: ask(TICKS, { frequency_penalty: 2 }) },
      counterexample: 'A word is repeated 36 times in spite of a penalty of 2',
      judge: judgeFrequency,
    },
    {
      id: 'presence-penalty',
      label: 'Presence penalty',
      fields: ['presence_penalty'],
      requests: {
        low: ask(STORY, { temperature: 0, presence_penalty: -2 }),
        high: ask(STORY, { temperature: 0, presence_penalty: 2 }),
        first: cold,
        second: cold,
      },
      ...changeAnswer('presence_penalty'),
    },
    {
      id: 'logit-bias',
      label: 'Logit bias',
      fields: ['logit_bias'],
      requests: { asked: ask(HELLO, { logit_bias: { '1000': 100 }, max_tokens: 24 }) },
      counterexample: 'The answer isn’t the repetition of a token with a bias of 100',
      judge: judgeBias,
    },
  ],
  Length: [
    {
      id: 'stop',
      label: 'Stop sequence',
      fields: ['stop'],
      requests: { asked: ask(COUNT, { stop: ['twelve'] }) },
      ...followAsked('stop', 'The text contains the stop sequence'),
    },
    ...['max_tokens', 'max_completion_tokens'].map((field) => ({
      id: field.replaceAll('_', '-'),
      label: field === 'max_tokens' ? 'Max tokens' : 'Max completion tokens',
      fields: [field],
      requests: { asked: ask(COUNT, { [field]: MAX_ASKED_TOKENS }) },
      counterexample: 'The text or the usage has more tokens',
      judge: judgeMaxTokens,
    })),
  ],
  Output: [
    {
      id: 'n',
      label: 'Choices (n)',
      fields: ['n'],
      requests: { asked: ask(HELLO, { n: 2 }) },
      ...followAsked('choices', 'The response has another number of choices'),
    },
    {
      id: 'logprobs',
      label: 'Token probabilities',
      fields: ['logprobs'],
      requests: { asked: ask(HELLO, { logprobs: true }) },
      counterexample: 'The answer has no log probabilities',
      judge: judgeLogprobs(0),
    },
    {
      id: 'top-logprobs',
      label: 'Alternatives',
      fields: ['top_logprobs'],
      requests: { asked: ask(HELLO, { logprobs: true, top_logprobs: 3 }) },
      counterexample: 'A token has fewer than three alternatives',
      judge: judgeLogprobs(3),
    },
    {
      id: 'json-object',
      label: 'JSON object',
      formats: ['', 'responses'],
      fields: ['response_format'],
      requests: { asked: ask(PROSE, { response_format: { type: 'json_object' } }) },
      ...followAsked('schema', 'The text isn’t a JSON object'),
    },
    ...(Object.keys(schemaFormats) as (keyof typeof schemaFormats)[]).map((name) => ({
      id: name === 'plain' ? 'json-schema' : `json-schema-${name}`,
      label: name === 'plain' ? 'JSON schema' : `JSON schema (${name})`,
      fields: ['response_format'],
      requests: { asked: ask(PROSE, { response_format: schemaFormats[name] }) },
      ...followAsked('schema', 'The text doesn’t match the schema'),
    })),
  ],
  Tools: [
    {
      id: 'tools-auto',
      label: 'Tools: auto',
      fields: ['tools'],
      requests: { asked: ask(WEATHER, { tools: [weatherTool] }) },
      counterexample: 'The answer calls another tool, or with arguments that don’t fit',
      judge: judgeAuto,
    },
    {
      id: 'tools-required',
      label: 'Tools: required',
      fields: ['tool_choice'],
      requests: { asked: ask(HELLO, { tools: [weatherTool], tool_choice: 'required' }) },
      ...callTool({ tool: 'get_weather', chance: 0, counterexample: 'The answer calls no tool' }),
    },
    {
      id: 'tools-named',
      label: 'Tools: named',
      fields: ['tool_choice'],
      requests: {
        asked: ask(WEATHER, {
          tools: [weatherTool, bellTool],
          tool_choice: { type: 'function', function: { name: 'ring_bell' } },
        }),
      },
      ...callTool({
        tool: 'ring_bell',
        chance: 0.01,
        counterexample: 'The answer calls no tool, or the one that fits the question',
      }),
    },
    {
      id: 'tools-none',
      label: 'Tools: none',
      fields: ['tool_choice'],
      requests: {
        auto: ask(WEATHER, { tools: [weatherTool] }),
        asked: ask(WEATHER, { tools: [weatherTool], tool_choice: 'none' }),
      },
      counterexample: 'The answer calls a tool',
      judge: judgeNone,
    },
    {
      id: 'tools-parallel',
      label: 'Tools: parallel',
      fields: ['parallel_tool_calls'],
      requests: {
        several: ask(TWO_CITIES, { tools: [weatherTool], parallel_tool_calls: true }),
        single: ask(TWO_CITIES, { tools: [weatherTool], parallel_tool_calls: false }),
      },
      counterexample: 'Several calls although only one is allowed',
      judge: judgeParallel,
    },
    {
      id: 'tools-no-parameters',
      label: 'Tools: no parameters',
      fields: ['tools'],
      requests: { asked: ask(HELLO, { tools: [bellTool], tool_choice: 'required' }) },
      counterexample: 'No call, or one with arguments',
      judge: judgeNoParameters,
    },
    {
      id: 'tools-image-result',
      label: 'Tools: result with an image',
      fields: ['tools'],
      requests: { asked: sendResult(true), blind: sendResult(false) },
      ...nameSeen({
        words: COLORS,
        chance: SEEN_COLORS,
        isCertain: false,
        counterexample: 'The colors aren’t named, and the image costs no input tokens',
      }),
    },
  ],
  Input: [
    {
      id: 'image-input',
      label: 'Image input',
      fields: [],
      requests: { asked: showImage(true), blind: showImage(false) },
      ...nameSeen({
        words: COLORS,
        chance: SEEN_COLORS,
        isCertain: false,
        counterexample: 'The colors aren’t named, and the image costs no input tokens',
      }),
    },
    {
      id: 'audio-input',
      label: 'Audio input',
      formats: [''],
      fields: [],
      requests: { asked: playBeeps(true), blind: playBeeps(false) },
      ...nameSeen({
        words: BEEPS,
        chance: SEEN_BEEPS,
        isCertain: false,
        counterexample: 'The beeps aren’t named, and the audio costs no input tokens',
      }),
    },
    {
      id: 'file-input',
      label: 'File input',
      fields: [],
      requests: { asked: sendFile() },
      ...nameSeen({
        words: [CODE_WORD],
        chance: 0,
        isCertain: true,
        counterexample: 'The answer doesn’t have the code word of the PDF',
      }),
    },
    ...(['system', 'developer'] as const).map((role) => ({
      id: `${role}-role`,
      label: `${role === 'system' ? 'System' : 'Developer'} role`,
      fields: [],
      requests: { asked: instruct(role, `${role}93`) },
      ...nameSeen({
        words: [`${role}93`],
        chance: 0,
        isCertain: true,
        counterexample: 'The answer doesn’t follow the instruction',
      }),
    })),
    {
      id: 'long-unicode',
      label: 'Long Unicode',
      fields: [],
      requests: { asked: ask(getUnicodeQuestion()) },
      counterexample: 'Characters come back replaced',
      judge: judgeUnicode,
    },
  ],
  Reasoning: [
    {
      id: 'reasoning',
      label: 'Reasoning',
      fields: [],
      requests: (context) => ({ high1: think(context, 'high') }),
      counterexample: 'Neither reasoning nor reasoning tokens',
      judge: judgeReasoning,
    },
    {
      id: 'reasoning-effort',
      label: 'Reasoning effort',
      fields: ['reasoning_effort'],
      requests: (context) => ({ ...thinkThrice(context, 'low'), ...thinkThrice(context, 'high') }),
      counterexample: 'Three answers at low and three at high effort reason equally long',
      judge: judgeEffort,
    },
    {
      id: 'reasoning-signed',
      label: 'Reasoning comes back signed',
      fields: [],
      requests: (context) => ({ high1: think(context, 'high') }),
      counterexample: 'The reasoning has no signature and isn’t encrypted',
      judge: judgeSigned,
    },
  ],
  Other: [
    {
      id: 'unknown-field',
      label: 'Unknown field',
      fields: [],
      requests: { asked: { ...ask(HELLO), extraBody: { gatehouse_probe: 1 } } },
      counterexample: 'The request succeeds',
      judge: judgeUnknown,
    },
  ],
};

/** Every row also has this request, without any field. */
export const plainChat = ask(COUNT);

export const chatRows: readonly ProbeRow[] = Object.entries(groups).flatMap(([group, rows]) =>
  rows.map((row) => ({
    ...row,
    group,
    operation: 'chat' as const,
    requests: (context: ProbeContext) => ({
      [PLAIN]: plainChat,
      ...(typeof row.requests === 'function' ? row.requests(context) : row.requests),
    }),
  })),
);
