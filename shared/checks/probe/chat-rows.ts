/** The rows of a probe that ask chat models. */
import { estimateTokens } from '../../estimate-tokens.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { viewAnswer } from '../../operations/chat/answer-view.ts';
import { readArguments } from '../../operations/chat/call-arguments.ts';
import { readTokens } from '../../operations/response/token-probabilities.ts';
import type { RunView } from '../../run-view.ts';
import type { ChatFormat } from '../check.ts';
import { agree, cannotTell, contradict, type RowGroup, type Rule } from './judge-row.ts';
import {
  ask,
  BEEPS,
  bellTool,
  CODE_WORD,
  COLORS,
  COUNT,
  getBeeps,
  getCodeFile,
  SQUARES,
  schemaFormats,
  UNICODE_LINE,
  weatherTool,
} from './questions.ts';
import {
  CALLS,
  followAsked,
  getChoice,
  getCounts,
  getText,
  getView,
  holdAlways,
  listCalls,
  MIN_TOKENS,
  mapRows,
  nameSeen,
  readCall,
  readFinding,
  repeatAnswer,
  show,
  TEXT,
} from './rules.ts';

/** Counts outside of this range of the estimate can't be of the text. */
const USAGE_FACTOR = 4;

const MAX_ASKED_TOKENS = 16;
/** A token rarely has more characters in English. */
const MAX_TOKEN_LENGTH = 12;

const lengthRule = followAsked('max-tokens', 'The text or the usage has more tokens');

/** The text decides before the usage, which a gateway may make up. */
const maxTokensRule: Rule = {
  ...lengthRule,
  judge(answers) {
    const { length } = getText(getView(answers, 'asked'));
    if (length <= MAX_ASKED_TOKENS * MAX_TOKEN_LENGTH) return lengthRule.judge(answers);
    const note = `Asked for at most ${MAX_ASKED_TOKENS} tokens, got ${length} characters.`;
    return contradict(note, 'asked', TEXT);
  },
};

const MIN_TICKS = 36;

/** A model whose two answers at temperature 0 were equal rarely answers a third time otherwise. */
const CHANGE_CHANCE = 0.05;

function showAlternatives(count: number, counterexample: string): Rule {
  return show(counterexample, 'choices[0].logprobs', (view) => {
    const tokens = readTokens(getChoice(view)?.logprobs);
    if (tokens.length === 0 || tokens.some(({ probability }) => probability === null)) {
      return { holds: false, note: 'The answer has no log probabilities.' };
    }
    const fewest = Math.min(...tokens.map(({ alternatives }) => alternatives.length));
    const note = `${tokens.length} tokens with at least ${fewest} alternatives each.`;
    return { holds: fewest >= count, note };
  });
}

const REASONING = 'choices[0].message.reasoning';

function countReasoning(view: RunView | null): number {
  const { reasoning } = getCounts(view);
  if (reasoning !== null && reasoning > 0) return reasoning;
  const choice = getChoice(view);
  return choice === undefined ? 0 : Math.round(estimateTokens(viewAnswer(choice).reasoning));
}

function showReasoning(view: RunView) {
  const count = countReasoning(view);
  return { holds: count > 0, note: `The response has ${count} tokens of reasoning.` };
}

const EFFORTS = ['1', '2', '3'];
/** The chance that the three highest of six equal counts are those of one effort. */
const EFFORT_CHANCE = 1 / 20;

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

function showSignature(view: RunView) {
  if (countReasoning(view) === 0) return 'The response has no reasoning.';
  const holds = isSigned(getChoice(view)?.message);
  const how = holds ? 'signed or encrypted' : 'without a signature';
  return { holds, note: `The reasoning came ${how}.` };
}

const SEEN_COLORS = 0.001;
const colorsRule = nameSeen(
  COLORS,
  'The colors aren’t named, and the image costs no input tokens',
  SEEN_COLORS,
);

/** The answer varies, if anything varies. */
const STORY = 'Write a story of about 60 words about a lighthouse keeper.';
/** The answer repeats one word, which a penalty prevents. */
const TICKS = 'Write the word tick 40 times, separated by spaces. Write nothing else.';
/** Asks for no JSON, so that JSON shows that the field works. */
const PROSE = 'In one plain sentence, without braces or quotes, say what JSON is good for.';
const WEATHER = 'What is the weather in Paris right now? Use a tool if you have one.';
const HELLO = 'Say hello.';
const COLOR_QUESTION =
  'The image has four squares. Name their colors in reading order, separated by commas, in plain words such as white, black. If there is no image, say so.';

const cold = ask(STORY, { temperature: 0 });
const hot = ask(STORY, { temperature: 1 });
const free = { free: hot, freeAgain: hot };

function askSeed(seed: number): JsonObject {
  return ask(STORY, { temperature: 1, seed });
}

/** Asks two questions at once, which need two calls. */
function askCities(isParallel: boolean): JsonObject {
  const question = 'What is the weather in Paris and in Rome right now? Use a tool for each city.';
  return ask(question, { tools: [weatherTool], parallel_tool_calls: isParallel });
}

const image = { type: 'image_url', image_url: { url: SQUARES } };

function askAbout(text: string, ...files: JsonObject[]): JsonObject {
  return ask([{ type: 'text', text }, ...files]);
}

function askBeeps(...files: JsonObject[]): JsonObject {
  return askAbout(
    'The recording has beeps of two durations. Write “short” or “long” for each, in order, separated by commas. If there is no recording, say so.',
    ...files,
  );
}

/** Sends a tool result with or without an image. */
function sendResult(...files: JsonObject[]): JsonObject {
  const called = { name: 'ring_bell', arguments: '{}' };
  return {
    messages: [
      { role: 'user', content: `Ring the bell. ${COLOR_QUESTION}` },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_probe1', type: 'function', function: called }],
      },
      {
        role: 'tool',
        tool_call_id: 'call_probe1',
        content: [{ type: 'text', text: 'A photo.' }, ...files],
      },
    ],
    tools: [bellTool],
  };
}

/** Asks with an instruction in another role. */
function instruct(role: string): JsonObject {
  const content = `Whatever the user writes, reply with the single word ${role}93 and nothing else.`;
  return {
    messages: [
      { role, content },
      { role: 'user', content: 'Name the capital of France.' },
    ],
  };
}

/** In the Messages format, an effort alone doesn't start thinking. */
function think(format: ChatFormat, effort: string): JsonObject {
  const question =
    'A farmer has chickens and rabbits with 35 heads and 94 legs in total. How many rabbits? Answer with the number only.';
  const thinking = { thinking: { type: 'enabled', budget_tokens: 2048 }, max_tokens: 4096 };
  return ask(question, { reasoning_effort: effort, ...(format === 'messages' ? thinking : {}) });
}

const thinkOnce = (format: ChatFormat) => ({ high1: think(format, 'high') });

const groups: Record<string, RowGroup['rows']> = {
  Response: {
    'model-name': {
      label: 'Model in the response',
      fields: ['model'],
      ...holdAlways('model', 'The response names another model'),
    },
    stream: {
      label: 'Stream and whole response agree',
      fields: ['stream'],
      requests: { whole: ask(COUNT, { stream: false }), streamed: ask(COUNT, { stream: true }) },
      // A streamed answer must arrive in pieces and agree with the whole one.
      counterexample: 'The stream is a single piece, or ends for another reason',
      judge(answers) {
        const [whole, streamed] = [getView(answers, 'whole'), getView(answers, 'streamed')];
        if (estimateTokens(getText(whole)) < MIN_TOKENS) {
          return cannotTell('The answer is too short to compare.', 'whole', TEXT);
        }
        const pieces = streamed?.timings?.deltaCount ?? 0;
        if (pieces <= 1) {
          return contradict(
            'The streamed answer came in one piece.',
            'streamed',
            'choices[0].delta',
          );
        }
        const [one, other] = [whole, streamed].map((view) => getChoice(view)?.finishReason);
        if (one !== other) {
          const note = `The finish reason is ${one} in the response and ${other} in the stream.`;
          return contradict(note, 'streamed', 'choices[0].finish_reason');
        }
        return getText(whole) === getText(streamed)
          ? agree(`Both texts are equal; the stream had ${pieces} pieces.`, 'streamed', TEXT)
          : cannotTell('The texts differ, as two answers may.', 'streamed', TEXT);
      },
    },
    'stream-usage': {
      label: 'Usage in the stream',
      fields: ['stream_options'],
      requests: { asked: ask(COUNT, { stream: true, stream_options: { include_usage: true } }) },
      ...show(
        'No usage, one that doesn’t add up, or four times off the text’s length',
        'usage',
        (view, request) => {
          const { output, reasoning } = getCounts(view);
          if (output === null) return { holds: false, note: 'The stream has no usage.' };
          const sums = readFinding('usage')(view, request);
          if (typeof sums === 'object' && !sums.holds) return sums;
          const choice = getChoice(view);
          const thought =
            choice === undefined || reasoning !== null ? '' : viewAnswer(choice).reasoning;
          const estimate = estimateTokens(getText(view) + thought);
          const counted = output - (reasoning ?? 0);
          const text = `a text of about ${Math.round(estimate)}`;
          const note = `The usage counts ${counted} output tokens for ${text}.`;
          const isHigh = counted > estimate * USAGE_FACTOR;
          if (isHigh && reasoning === null) return `${note} It may count hidden reasoning.`;
          if (isHigh || counted < estimate / USAGE_FACTOR) {
            return { holds: false, note, field: 'usage.completion_tokens' };
          }
          return { holds: true, note: `The stream counts ${output} output tokens.` };
        },
      ),
    },
  },
  Sampling: {
    temperature: {
      label: 'Temperature 0 twice',
      fields: ['temperature'],
      requests: { first: cold, second: cold, ...free },
      ...repeatAnswer('temperature 0'),
    },
    seed: {
      label: 'Seed twice',
      fields: ['seed'],
      requests: { first: askSeed(7), second: askSeed(7), other: askSeed(8), ...free },
      ...repeatAnswer('seed'),
    },
    'frequency-penalty': {
      label: 'Frequency penalty',
      requests: { free: ask(TICKS), asked: ask(TICKS, { frequency_penalty: 2 }) },
      // After 36 repeats a penalty of 2 has grown to 72, which no model overcomes.
      counterexample: 'A word is repeated 36 times in spite of a penalty of 2',
      judge(answers) {
        const [free = 0, asked = 0] = ['free', 'asked'].map(
          (name) => getText(getView(answers, name)).match(/\btick\b/gi)?.length,
        );
        if (free < MIN_TICKS) {
          return cannotTell('The model doesn’t repeat the word without a penalty.', 'free', TEXT);
        }
        const note = `The word is repeated ${free} times without the penalty, ${asked} times with it.`;
        return (asked >= MIN_TICKS ? contradict : agree)(note, 'asked', TEXT);
      },
    },
    'presence-penalty': {
      label: 'Presence penalty',
      fields: ['presence_penalty'],
      requests: {
        low: ask(STORY, { temperature: 0, presence_penalty: -2 }),
        high: ask(STORY, { temperature: 0, presence_penalty: 2 }),
        first: cold,
        second: cold,
      },
      // Opposite values must change an answer that is otherwise always the same.
      counterexample: 'Opposite values of presence_penalty at temperature 0 get the same text',
      judge(answers) {
        const get = (name: string) => getText(getView(answers, name));
        const [low, high] = [get('low'), get('high')];
        if (Math.min(estimateTokens(low), estimateTokens(high)) < MIN_TOKENS) {
          return cannotTell('The answers are too short to compare.', 'low', TEXT);
        }
        if (low === high) return contradict('Opposite values get the same answer.', 'high', TEXT);
        if (get('first') !== get('second')) {
          return cannotTell(
            'Answers at temperature 0 differ without the field too.',
            'first',
            TEXT,
          );
        }
        return agree('Opposite values change the answer.', 'high', TEXT, CHANGE_CHANCE);
      },
    },
    'logit-bias': {
      label: 'Logit bias',
      fields: ['logit_bias'],
      requests: { asked: ask(HELLO, { logit_bias: { '1000': 100 }, max_tokens: 24 }) },
      // Any token with a bias of 100 is repeated to the end, whatever text the tokenizer has for it.
      ...show('The answer isn’t the repetition of a token with a bias of 100', TEXT, (view) => {
        const text = getText(view).trim();
        if (text === '') return 'The answer is empty.';
        const holds = /^(.{1,24}?)\1{3,}.{0,24}$/su.test(text);
        return {
          holds,
          note: `The answer ${holds ? 'repeats' : 'doesn’t repeat'} the favored token.`,
        };
      }),
    },
  },
  Length: {
    stop: {
      label: 'Stop sequence',
      requests: { asked: ask(COUNT, { stop: ['twelve'] }) },
      ...followAsked('stop', 'The text contains the stop sequence'),
    },
    'max-tokens': {
      label: 'Max tokens',
      requests: { asked: ask(COUNT, { max_tokens: MAX_ASKED_TOKENS }) },
      ...maxTokensRule,
    },
    'max-completion-tokens': {
      label: 'Max completion tokens',
      requests: { asked: ask(COUNT, { max_completion_tokens: MAX_ASKED_TOKENS }) },
      ...maxTokensRule,
    },
  },
  Output: {
    n: {
      label: 'Choices (n)',
      requests: { asked: ask(HELLO, { n: 2 }) },
      ...followAsked('choices', 'The response has another number of choices'),
    },
    logprobs: {
      label: 'Token probabilities',
      requests: { asked: ask(HELLO, { logprobs: true }) },
      ...showAlternatives(0, 'The answer has no log probabilities'),
    },
    'top-logprobs': {
      label: 'Alternatives',
      fields: ['top_logprobs'],
      requests: { asked: ask(HELLO, { logprobs: true, top_logprobs: 3 }) },
      ...showAlternatives(3, 'A token has fewer than three alternatives'),
    },
    'json-object': {
      label: 'JSON object',
      formats: ['', 'responses'],
      requests: { asked: ask(PROSE, { response_format: { type: 'json_object' } }) },
      ...followAsked('schema', 'The text isn’t a JSON object'),
    },
    ...mapRows(['plain', 'strict', 'nested', 'enum'] as const, (name) => ({
      id: name === 'plain' ? 'json-schema' : `json-schema-${name}`,
      label: name === 'plain' ? 'JSON schema' : `JSON schema (${name})`,
      requests: { asked: ask(PROSE, { response_format: schemaFormats[name] }) },
      ...followAsked('schema', 'The text doesn’t match the schema'),
    })),
  },
  Tools: {
    'tools-auto': {
      label: 'Tools: auto',
      requests: { asked: ask(WEATHER, { tools: [weatherTool] }) },
      // A model may answer in words, so only a wrong call counts against it.
      ...show(
        'The answer calls another tool, or with arguments that don’t fit',
        CALLS,
        (view, request) =>
          listCalls(view).length === 0
            ? 'The model answered in words, which it may.'
            : readCall('get_weather')(view, request),
      ),
    },
    'tools-required': {
      label: 'Tools: required',
      fields: ['tool_choice'],
      requests: { asked: ask(HELLO, { tools: [weatherTool], tool_choice: 'required' }) },
      ...show('The answer calls no tool', CALLS, readCall('get_weather')),
    },
    'tools-named': {
      label: 'Tools: named',
      fields: ['tool_choice'],
      requests: {
        asked: ask(WEATHER, {
          tools: [weatherTool, bellTool],
          tool_choice: { type: 'function', function: { name: 'ring_bell' } },
        }),
      },
      ...show(
        'The answer calls no tool, or the one that fits the question',
        CALLS,
        readCall('ring_bell', 0.01),
      ),
    },
    'tools-none': {
      label: 'Tools: none',
      fields: ['tool_choice'],
      requests: {
        auto: ask(WEATHER, { tools: [weatherTool] }),
        asked: ask(WEATHER, { tools: [weatherTool], tool_choice: 'none' }),
      },
      counterexample: 'The answer calls a tool',
      judge(answers) {
        const count = (name: string) => listCalls(getView(answers, name)).length;
        if (count('asked') > 0) return contradict('The answer calls a tool.', 'asked', CALLS);
        return count('auto') === 0
          ? cannotTell('The model calls no tool without the field either.', 'auto', CALLS)
          : agree('No call, unlike without the field.', 'asked', CALLS);
      },
    },
    'tools-parallel': {
      label: 'Tools: parallel',
      fields: ['parallel_tool_calls'],
      requests: { several: askCities(true), single: askCities(false) },
      counterexample: 'Several calls although only one is allowed',
      judge(answers) {
        const [several = 0, single = 0] = ['several', 'single'].map(
          (name) => listCalls(getView(answers, name)).length,
        );
        const note = `${several} calls if several are allowed, ${single} if only one is.`;
        if (single > 1) return contradict(note, 'single', CALLS);
        if (several > 1 && single === 1) return agree(note, 'single', CALLS);
        return cannotTell(`${note} The model may prefer one call.`, 'several', CALLS);
      },
    },
    'tools-no-parameters': {
      label: 'Tools: no parameters',
      fields: ['tools'],
      requests: { asked: ask(HELLO, { tools: [bellTool], tool_choice: 'required' }) },
      ...show('No call, or one with arguments', CALLS, (view) => {
        const [call] = listCalls(view);
        if (call === undefined) return { holds: false, note: 'The answer calls no tool.' };
        const given = readArguments(call.arguments);
        const note = `The tool without parameters is called with ${call.arguments || 'nothing'}.`;
        return { holds: given !== null && Object.keys(given).length === 0, note };
      }),
    },
    'tools-image-result': {
      label: 'Tools: result with an image',
      requests: { asked: sendResult(image), blind: sendResult() },
      ...colorsRule,
    },
  },
  Input: {
    'image-input': {
      label: 'Image input',
      requests: { asked: askAbout(COLOR_QUESTION, image), blind: askAbout(COLOR_QUESTION) },
      ...colorsRule,
    },
    'audio-input': {
      label: 'Audio input',
      formats: [''],
      requests: () => ({
        asked: askBeeps({
          type: 'input_audio',
          input_audio: { data: getBeeps(), format: 'wav' },
        }),
        blind: askBeeps(),
      }),
      ...nameSeen(
        BEEPS,
        'The beeps aren’t named, and the audio costs no input tokens',
        1 / 2 ** BEEPS.length,
      ),
    },
    'file-input': {
      label: 'File input',
      requests: () => ({
        asked: askAbout('Which code word is in the file? Answer with the code word only.', {
          type: 'file',
          file: { filename: 'code.pdf', file_data: getCodeFile() },
        }),
      }),
      ...nameSeen([CODE_WORD], 'The answer doesn’t have the code word of the PDF'),
    },
    ...mapRows(['system', 'developer'], (role) => ({
      id: `${role}-role`,
      label: role === 'system' ? 'System role' : 'Developer role',
      requests: { asked: instruct(role) },
      ...nameSeen([`${role}93`], 'The answer doesn’t follow the instruction'),
    })),
    'long-unicode': {
      label: 'Long Unicode',
      requests: {
        asked: ask(
          `${`${UNICODE_LINE}\n`.repeat(40)}\nAll lines above are equal. Repeat one of them exactly. Write nothing else.`,
        ),
      },
      ...show('Characters come back replaced', TEXT, (view) => {
        const text = getText(view);
        if (text.includes(UNICODE_LINE))
          return { holds: true, note: 'The line came back unchanged.' };
        if (/\uFFFD|\?{3,}|Ã.|â€/.test(text))
          return { holds: false, note: 'Characters were lost.' };
        return 'The line came back otherwise; the model may have changed it.';
      }),
    },
  },
  Reasoning: {
    reasoning: {
      label: 'Reasoning',
      requests: thinkOnce,
      ...show('Neither reasoning nor reasoning tokens', REASONING, showReasoning, 'high1'),
    },
    'reasoning-effort': {
      label: 'Reasoning effort',
      fields: ['reasoning_effort'],
      requests: (format) => {
        const efforts = ['low', 'high'].flatMap((effort) =>
          EFFORTS.map((number) => [effort + number, think(format, effort)]),
        );
        return Object.fromEntries(efforts);
      },
      counterexample: 'Three answers at low and three at high effort reason equally long',
      judge(answers) {
        const count = (effort: string) =>
          EFFORTS.map((number) => countReasoning(getView(answers, effort + number)));
        const [low, high] = [count('low'), count('high')];
        const note = `Reasoning tokens: ${low.join(', ')} at low effort, ${high.join(', ')} at high.`;
        if (new Set([...low, ...high]).size === 1) return contradict(note, 'high1', REASONING);
        return Math.min(...high) > Math.max(...low)
          ? agree(note, 'high1', REASONING, EFFORT_CHANCE)
          : cannotTell(note, 'high1', REASONING);
      },
    },
    'reasoning-signed': {
      label: 'Reasoning comes back signed',
      requests: thinkOnce,
      ...show(
        'The reasoning has no signature and isn’t encrypted',
        REASONING,
        showSignature,
        'high1',
      ),
    },
  },
  Other: {
    'unknown-field': {
      label: 'Unknown field',
      requests: { asked: ask(HELLO) },
      extraBody: { gatehouse_probe: 1 },
      // Only a rejection is decided before, so a response means that the field was passed over.
      ...show('The request succeeds', '', () => ({
        holds: false,
        note: 'An unknown field is accepted without an error.',
      })),
    },
  },
};

export const chatGroups = Object.entries(groups).map(
  ([group, rows]): RowGroup => ({ group, operation: 'chat', plain: ask(COUNT), rows }),
);
