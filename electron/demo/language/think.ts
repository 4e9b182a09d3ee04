/** `demo-think`: reasons first, as long as the effort requests, then answers. */
import { lastUserText, type Question, shorten } from './answer.ts';
import { countTokens } from './tokens.ts';

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

const STEPS_FOR_EFFORT = { low: 2, medium: 5, high: STEPS.length };

export function generateReasoning({ messages, reasoningEffort }: Question): {
  reasoning: string;
  content: string;
} {
  const question = lastUserText(messages);
  const steps = STEPS.slice(0, STEPS_FOR_EFFORT[reasoningEffort]);
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
    `- Its longest word is *${longest(words)}*.`,
    `- It ${question.trimEnd().endsWith('?') ? 'ends with a question mark' : 'does not end with a question mark'}.`,
    '',
    'A real reasoning model would say something wise here. I am simulated, so I only show how reasoning arrives: first, separate from the answer, with its own token count.',
  ].join('\n');
  return { reasoning, content };
}

function longest(words: readonly string[]): string {
  return words.reduce((best, word) => (word.length > best.length ? word : best), '') || '(none)';
}
