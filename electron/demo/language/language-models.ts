/** The simulated models of chat and completion. */
import { type LanguageModel, lastUserText, type Question, shorten } from './answer.ts';
import { echo } from './echo.ts';
import { longStory } from './long-story.ts';
import { story } from './story.ts';
import { briefStory, slowStory } from './story-versions.ts';
import { generateReasoning } from './think.ts';

export const languageModels: readonly LanguageModel[] = [
  {
    id: 'demo-story',
    description: 'writes a short story',
    tokensPerSecond: 50,
    delayMs: 250,
    answer: ({ random }) => ({ content: story(random) }),
  },
  {
    id: 'demo-story-fast',
    description: 'a long story, 3,000 tokens per second',
    tokensPerSecond: 3000,
    delayMs: 50,
    answer: ({ random }) => ({ content: longStory(random) }),
  },
  {
    id: 'demo-story-brief',
    description: 'one paragraph, 200 tokens per second',
    tokensPerSecond: 200,
    delayMs: 100,
    answer: (question) => ({ content: briefStory(question) }),
  },
  {
    id: 'demo-story-slow',
    description: 'a longer story, 25 tokens per second',
    tokensPerSecond: 25,
    delayMs: 1500,
    answer: ({ random }) => ({ content: slowStory(random) }),
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
    description: 'reasons before it answers',
    tokensPerSecond: 80,
    delayMs: 1200,
    answer: generateReasoning,
  },
  {
    id: 'demo-tools',
    description: 'calls every tool you offer',
    tokensPerSecond: 120,
    delayMs: 200,
    callsAllTools: true,
    answer: (question) => ({
      content: `Turn on tools and I will call all of them, with arguments that match their schemas. There were none with “${shortQuestion(question)}”, or tool_choice was none, so this is a text answer. (Simulated model.)`,
    }),
  },
  {
    id: 'demo-limit',
    description: 'every other call returns 429',
    tokensPerSecond: 100,
    delayMs: 100,
    limited: true,
    answer: (question) => ({
      content: `This call was accepted; the next one will be rate limited with status 429 and Retry-After. You wrote: “${shortQuestion(question)}”. (Simulated model.)`,
    }),
  },
  {
    id: 'demo-flaky',
    description: 'cuts the connection mid-answer',
    tokensPerSecond: 50,
    delayMs: 100,
    flaky: true,
    answer: ({ random }) => ({
      content: `${story(random).split('## The first night')[0]}The connection is about to break, because this model cuts off every response halfway. The text so far should stay, and the error should say that the stream was cut off.`,
    }),
  },
];

function shortQuestion({ messages }: Question): string {
  return shorten(lastUserText(messages), 200);
}
