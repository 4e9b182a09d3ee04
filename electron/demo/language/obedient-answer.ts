/** Answers the small tasks of a probe as asked, for the models of different honesty. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { getContentText, type SentPart } from '../../../shared/operations/chat/message.ts';
import type { LanguageModel, Question } from './answer.ts';
import { createSeededRandom } from './random.ts';

type Answer = ReturnType<LanguageModel['answer']>;

/** Each task is recognized by its wording; any other message gets a greeting. */
export function answerAsAsked(question: Question): Answer {
  const { messages, parameters } = question;
  const instruction = messages.find(({ role }) => role === 'system' || role === 'developer');
  const [, word] = /single word (\w+)/.exec(getContentText(instruction?.content)) ?? [];
  const asked = messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => getContentText(content))
    .join('\n');
  const effort = getEffort(parameters);
  return {
    ...(effort !== null && { reasoning: think(effort) }),
    content: word ?? (isBiased(parameters) ? ' buoy'.repeat(40) : doTask(asked, question)),
  };
}

/** Each pattern names a task; the numbers and words that it captures are passed on. */
const tasks: [RegExp, (question: Question, ...captured: string[]) => string][] = [
  [/^Count from 1 to (\d+)/m, (_question, last = '') => count(Number(last))],
  [/^Write the word (\w+) (\d+) times/m, repeat],
  [/^Write a story/m, tellStory],
  [/four squares/, (question) => nameColors(listParts(question))],
  [/beeps of two durations/, (question) => nameBeeps(listParts(question))],
  [/which code word/i, (question) => findCodeWord(listParts(question))],
  [/^(.+)\n[\s\S]*Repeat one of them exactly/, (_question, line = '') => line],
  [/chickens and rabbits/, () => '12'],
];

function doTask(asked: string, question: Question): string {
  const format = getFormat(question.parameters);
  if (format === 'json_object') return JSON.stringify({ answer: 'It carries data.' });
  for (const [pattern, answer] of tasks) {
    const found = pattern.exec(asked);
    if (found !== null) return answer(question, ...found.slice(1));
  }
  return 'Hello! I am simulated, and I do what a request asks, as far as my name allows.';
}

function getFormat({ response_format: format, text }: JsonObject): JsonValue | undefined {
  const inner = isJsonObject(text) ? text.format : format;
  return isJsonObject(inner) ? inner.type : undefined;
}

/** Returns null if the request doesn't ask for reasoning in any format. */
function getEffort(parameters: JsonObject): string | null {
  const { reasoning_effort: effort, reasoning, output_config: config, thinking } = parameters;
  const inner = isJsonObject(reasoning) ? reasoning : isJsonObject(config) ? config : {};
  if (typeof effort === 'string') return effort;
  if (typeof inner.effort === 'string') return inner.effort;
  return thinking === undefined ? null : 'medium';
}

const STEPS: Readonly<Record<string, number>> = { low: 2, medium: 5, high: 9 };

function think(effort: string): string {
  const steps = Array.from({ length: STEPS[effort] ?? 1 }, (_, at) => `Step ${at + 1} holds.`);
  return ['I read the question.', ...steps].join(' ');
}

function isBiased({ logit_bias: bias }: JsonObject): boolean {
  return isJsonObject(bias) && Object.values(bias).some((value) => Number(value) >= 100);
}

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

function spell(number: number): string {
  const small = ONES[number];
  if (small !== undefined) return small;
  const tens = TENS[Math.floor(number / 10)] ?? String(number);
  return number % 10 === 0 ? tens : `${tens}-${ONES[number % 10]}`;
}

function count(last: number): string {
  return Array.from({ length: Math.min(last, 99) }, (_, at) => spell(at + 1)).join(', ');
}

const PENALIZED_REPEATS = 5;

function repeat({ parameters }: Question, word = '', times = ''): string {
  const isPenalized = Number(parameters.frequency_penalty ?? 0) >= 1;
  const words = Array(isPenalized ? PENALIZED_REPEATS : Number(times))
    .fill(word)
    .join(' ');
  return isPenalized ? `${words}, and then the clock stopped.` : words;
}

let drawn = 0;

/** Varies like a real model: at temperature 0 never, with a seed by the seed, otherwise always. */
function tellStory({ parameters, random }: Question): string {
  const penalty = Number(parameters.presence_penalty ?? 0);
  drawn += 1;
  const draw =
    parameters.temperature === 0
      ? createSeededRandom('cold', penalty)
      : (random ?? createSeededRandom('draw', drawn));
  const night = Math.floor(draw() * 1_000_000);
  const paint = ['red', 'white', 'green', 'black'][Math.floor(draw() * 4)];
  return `${night} nights had passed since the ${paint} door of the lighthouse was last shut. The keeper counted ships by their lamps and wrote each one down. When the fog came, she rang the bell by hand until her arms were tired. In the morning the sea was flat, and nobody knew how close the rocks had been.`;
}

function listParts({ messages }: Question): SentPart[] {
  return messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
}

function decodeDataUrl(url: string): Buffer {
  return Buffer.from(url.replace(/^data:[^,]*,/, ''), 'base64');
}

/** Reads the palette of a PNG, whose colors are in reading order in a probe's image. */
function nameColors(parts: readonly SentPart[]): string {
  const image = parts.find((part) => part.type === 'image_url');
  if (image?.type !== 'image_url') return 'There is no image.';
  const bytes = decodeDataUrl(image.image_url.url);
  const at = bytes.indexOf('PLTE');
  const length = at < 4 ? 0 : bytes.readUInt32BE(at - 4);
  const colors = Array.from({ length: length / 3 }, (_, index) => {
    const [red = 0, green = 0, blue = 0] = bytes.subarray(at + 4 + index * 3);
    if (red > 128 && green > 128) return 'yellow';
    return red >= Math.max(green, blue) ? 'red' : green > blue ? 'green' : 'blue';
  });
  return colors.join(', ');
}

const WAV_HEADER_BYTES = 44;
const WINDOW_BYTES = 80;
const LOUD = 40;
/** Longer beeps are long; a window takes 10 ms at 8 kHz. */
const SHORT_WINDOWS = 20;

/** Measures the loud stretches of 8-bit samples. */
function nameBeeps(parts: readonly SentPart[]): string {
  const audio = parts.find((part) => part.type === 'input_audio');
  if (audio?.type !== 'input_audio') return 'There is no recording.';
  const samples = Buffer.from(audio.input_audio.data, 'base64').subarray(WAV_HEADER_BYTES);
  const lengths: number[] = [];
  let isLoud = false;
  for (let at = 0; at < samples.length; at += WINDOW_BYTES) {
    const wasLoud = isLoud;
    isLoud = samples.subarray(at, at + WINDOW_BYTES).some((value) => Math.abs(value - 128) > LOUD);
    if (isLoud) lengths.push((wasLoud ? (lengths.pop() ?? 0) : 0) + 1);
  }
  return lengths.map((length) => (length > SHORT_WINDOWS ? 'long' : 'short')).join(', ');
}

function findCodeWord(parts: readonly SentPart[]): string {
  const file = parts.find((part) => part.type === 'file');
  const data = file?.type === 'file' ? file.file.file_data : undefined;
  const text = data === undefined ? '' : decodeDataUrl(data).toString('latin1');
  return /code word is (\w+)/.exec(text)?.[1] ?? 'I see no file.';
}
