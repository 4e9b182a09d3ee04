/** The simulated models for chat and completion. */
import {
  countTokens,
  getLastUserText,
  type LanguageModel,
  type Question,
  shorten,
} from './answer.ts';
import { citedText } from './citations.ts';
import { echo } from './echo.ts';
import { findHonesty, honestIds } from './honesty.ts';
import { answerAsAsked } from './obedient-answer.ts';
import { summarizeToolResults } from './plan-choice.ts';
import { writeBriefStory, writeLongStory, writeSlowStory, writeStory } from './stories.ts';

export const languageModels: readonly LanguageModel[] = [
  {
    id: 'demo-story',
    proseParagraphs: 3,
    description: 'writes a short story',
    tokensPerSecond: 50,
    delayMs: 250,
    answer: ({ random }) => ({ content: writeStory(random) }),
  },
  {
    id: 'demo-story-fast',
    proseParagraphs: 400,
    description: 'a long story, 3,000 tokens per second',
    tokensPerSecond: 3000,
    delayMs: 50,
    answer: ({ random }) => ({ content: writeLongStory(random) }),
  },
  {
    id: 'demo-story-brief',
    proseParagraphs: 1,
    description: 'one paragraph, 200 tokens per second',
    tokensPerSecond: 200,
    delayMs: 100,
    answer: (question) => ({ content: writeBriefStory(question) }),
  },
  {
    id: 'demo-story-slow',
    proseParagraphs: 6,
    description: 'a longer story, 25 tokens per second',
    tokensPerSecond: 25,
    delayMs: 1500,
    answer: ({ random }) => ({ content: writeSlowStory(random) }),
  },
  {
    id: 'demo-echo',
    description: 'repeats your message and describes attachments',
    tokensPerSecond: 400,
    delayMs: 50,
    readsToolResults: true,
    looksAtMedia: true,
    answer: (question) => ({ content: echo(question) }),
  },
  {
    id: 'demo-think',
    proseParagraphs: 2,
    description: 'reasons before it answers',
    tokensPerSecond: 80,
    delayMs: 1200,
    answer: generateReasoning,
  },
  {
    id: 'demo-tools',
    proseParagraphs: 2,
    description: 'calls every tool you offer',
    tokensPerSecond: 120,
    delayMs: 200,
    callsAllTools: true,
    answer: (question) => ({
      content: `Turn on tools and I will call all of them, with arguments that match their schemas. “${getShortQuestion(question)}” came with no tools (or tool_choice was none), so this is a text answer. (Simulated model.)`,
    }),
  },
  {
    id: 'demo-signed',
    proseParagraphs: 2,
    description: 'signs its tool calls and insists on the signatures',
    tokensPerSecond: 120,
    delayMs: 200,
    signs: true,
    readsToolResults: true,
    answer: (question) => ({
      reasoning: `The user writes: “${getShortQuestion(question)}”. I have what I need to answer in words.`,
      content:
        summarizeToolResults(question) ??
        'This answer came with signed reasoning. Turn on tools: I sign each call and refuse a follow-up that doesn’t send the signature back. (Simulated model.)',
    }),
  },
  {
    id: 'demo-cited',
    description: 'cites sources, with log probabilities if requested',
    tokensPerSecond: 120,
    delayMs: 200,
    cites: true,
    answer: () => ({ content: citedText }),
  },
  {
    id: 'demo-limit',
    description: 'every other call returns 429',
    tokensPerSecond: 100,
    delayMs: 100,
    limited: true,
    answer: (question) => ({
      content: `This request succeeded. The next one will fail with 429 and Retry-After. You wrote: “${getShortQuestion(question)}”. (Simulated model.)`,
    }),
  },
  {
    id: 'demo-flaky',
    proseParagraphs: 3,
    description: 'cuts the connection mid-answer',
    tokensPerSecond: 50,
    delayMs: 100,
    flaky: true,
    answer: ({ random }) => ({
      content: `${writeStory(random).split('## The first night')[0]}The connection is about to break, because this model cuts off every response halfway. The text so far should stay, and the error should say that the stream was cut off.`,
    }),
  },
  ...honestIds.map(
    (id): LanguageModel => ({
      id,
      description: findHonesty(id)?.description ?? '',
      tokensPerSecond: 400,
      delayMs: 50,
      honest: true,
      readsToolResults: true,
      answer: answerAsAsked,
    }),
  ),
];

function getShortQuestion({ messages }: Question): string {
  return shorten(getLastUserText(messages), 200);
}

const STEPS = [
  'Which facts are given? Only the words of the question, so nothing else may be assumed.',
  'I could answer at once, but a keeper counts the boats before opening the gate.',
  'First reading: the question wants a direct answer. Second reading: it wants the steps.',
  'Let me check the first reading against the words again. It holds.',
  'Is there a case in which it does not hold? Only if the question was meant as a riddle.',
  'A riddle would have a twist at the end; I look at the end and find none.',
  'So both readings lead to the same place, and the shorter way is the better one.',
  'One more check, because checking is cheap: the answer must stand without this reasoning.',
  'It does. I will say plainly that I am simulated, since that is the most useful fact here.',
];

/** Any other effort takes every step. */
const STEPS_FOR_EFFORT: ReadonlyMap<string, number> = new Map([
  ['none', 0],
  ['minimal', 1],
  ['low', 2],
  ['medium', 5],
]);

export function generateReasoning({ messages, reasoningEffort }: Question): {
  reasoning: string;
  content: string;
} {
  const question = getLastUserText(messages);
  const steps = STEPS.slice(0, STEPS_FOR_EFFORT.get(reasoningEffort) ?? STEPS.length);
  const reasoning = [
    `The user writes: “${shorten(question, 200)}”.`,
    ...steps,
    'Now I can answer.',
  ].join('\n\n');
  const words = question.match(/\p{L}+/gu) ?? [];
  const content = [
    `I thought about your question in **${steps.length} steps** (effort: ${reasoningEffort}).`,
    '',
    `- It has ${words.length} ${words.length === 1 ? 'word' : 'words'} and about ${countTokens(question)} tokens.`,
    `- Its longest word is *${findLongest(words)}*.`,
    `- It ${question.trimEnd().endsWith('?') ? 'ends with a question mark' : 'does not end with a question mark'}.`,
    '',
    'A real reasoning model would say something wise here. I am simulated, so I only show how reasoning arrives: first, separate from the answer, with its own token count.',
  ].join('\n');
  return { reasoning, content };
}

function findLongest(words: readonly string[]): string {
  return words.reduce((best, word) => (word.length > best.length ? word : best), '') || '(none)';
}
