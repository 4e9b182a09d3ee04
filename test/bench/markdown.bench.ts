import { expect, type Page } from '@playwright/test';
import { test } from '../e2e/fixtures/app.ts';
import { openBenchPage } from './harness/bench-page.ts';
import { note } from './harness/figures.ts';
import { interleave, ratios } from './harness/rounds.ts';
import type { Figure } from './harness/table.ts';

type Renderer = 'paragraphs' | 'gatehouse' | 'streamdown' | 'reactMarkdown';
declare global {
  interface Window {
    streamText(name: Renderer, text: string, how: typeof usual): Promise<StreamedText>;
  }
}
interface StreamedText {
  ms: number;
  isComplete: boolean;
}

const usual = { updates: 40, isWhole: false };
/** Renderers that parse the whole text each time are slow, so they get few updates. */
const whole = { updates: 4, isWhole: true };

/** Numbers every word, so that the benchmark can find it in the output. */
function createWords() {
  let count = 0;
  const word = () => {
    count += 1;
    return `w${count}`;
  };
  return (many: number) => Array.from({ length: many }, word).join(' ');
}

function repeated(size: number, part: (words: (many: number) => string) => string): string {
  const words = createWords();
  let text = '';
  while (text.length < size) text += part(words);
  return text;
}

/** Returns a typical answer with headings, formatted paragraphs, a list, code and a table. */
const answer = (size: number) =>
  repeated(size, (words) =>
    [
      `## ${words(4)}`,
      `${words(30)} **${words(3)}** ${words(20)} \`${words(1)}\` ${words(30)}.`,
      `${words(25)} [${words(2)}](https://example.com/a) ${words(25)}.`,
      Array.from({ length: 6 }, () => `- ${words(6)} *${words(2)}* ${words(4)}`).join('\n'),
      `\`\`\`js\n${Array.from({ length: 8 }, () => `const x = "${words(3)}";`).join('\n')}\n\`\`\``,
      `| ${words(1)} | ${words(1)} |\n|---|---|\n${Array.from({ length: 5 }, () => `| ${words(2)} | ${words(2)} |`).join('\n')}`,
      '',
    ].join('\n\n'),
  );

const LONG = 40_000;
const blocks: { name: string; text: string; goal: Figure['goal'] }[] = [
  {
    name: 'code block',
    text: `\`\`\`js\n${repeated(LONG, (words) => `const x = "${words(5)}";\n`)}\`\`\``,
    goal: { atMost: 1 },
  },
  {
    name: 'list',
    text: repeated(LONG, (words) => `- ${words(8)} **${words(2)}**\n`),
    goal: { atMost: 2.5 },
  },
  {
    name: 'table',
    text: `| a | b |\n|---|---|\n${repeated(LONG, (words) => `| ${words(4)} | ${words(4)} |\n`)}`,
    goal: null,
  },
  {
    name: 'paragraph',
    text: repeated(LONG, (words) => `${words(9)} **${words(1)}** `),
    goal: null,
  },
];

const peers = [
  ['paragraphs', 'plain paragraphs'],
  ['streamdown', 'streamdown'],
  ['reactMarkdown', 'react-markdown'],
] as const;

function streams(page: Page, name: Renderer, text: string, how = usual) {
  return async () => {
    const { ms, isComplete } = await page.evaluate(
      ([name, text, how]) => window.streamText(name, text, how),
      [name, text, how] as const,
    );
    expect(isComplete, `${name} shows every word`).toBe(true);
    return ms;
  };
}

test('renders an answer while it streams', async ({ chromiumProcess }, testInfo) => {
  const { page, close } = await openBenchPage(chromiumProcess, 'markdown-page.js');
  const contenders = (text: string) => ({
    paragraphs: streams(page, 'paragraphs', text),
    gatehouse: streams(page, 'gatehouse', text),
    streamdown: streams(page, 'streamdown', text),
    reactMarkdown: streams(page, 'reactMarkdown', text, whole),
  });
  const small = await interleave(contenders(answer(20_000)));
  const large = await interleave(contenders(answer(100_000)));
  await close();
  for (const [size, of, limits] of [
    ['20 kB', small, { paragraphs: 1.5, streamdown: 0.6, reactMarkdown: null }],
    ['100 kB', large, { paragraphs: 2, streamdown: null, reactMarkdown: 0.1 }],
  ] as const) {
    for (const [peer, name] of peers) {
      const limit = limits[peer];
      const goal = limit === null ? null : { atMost: limit };
      note(testInfo, `${size} beside ${name}`, ratios(of.gatehouse, of[peer]), '×', goal);
    }
  }
  const growth = ratios(large.gatehouse, small.gatehouse);
  note(testInfo, '100 kB beside 20 kB', growth, '×', { atMost: 7.5 });
});

test('renders one long block while it streams', async ({ chromiumProcess }, testInfo) => {
  const { page, close } = await openBenchPage(chromiumProcess, 'markdown-page.js');
  for (const { name, text, goal } of blocks) {
    const { paragraphs, gatehouse, streamdown } = await interleave({
      paragraphs: streams(page, 'paragraphs', text),
      gatehouse: streams(page, 'gatehouse', text),
      streamdown: streams(page, 'streamdown', text, whole),
    });
    const what = `One ${name} of 40 kB`;
    note(testInfo, `${what} beside plain text`, ratios(gatehouse, paragraphs), '×', goal);
    note(testInfo, `${what} beside streamdown`, ratios(gatehouse, streamdown), '×');
  }
  await close();
});
