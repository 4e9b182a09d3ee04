/** `demo-story-fast`: the keeper's log, 100 kB of markdown for testing how fast a page can draw. */
import { type Random, seededRandom } from './random.ts';

export const LONG_STORY_BYTES = 102_400;

const OPENING = `# The keeper's log

*100 kB from a simulated model, at about 3,000 tokens a second.*
`;
const CLOSING = `
## The last page

The log ends here. Nothing was lost, and nothing was counted twice.

*Simulated by \`demo-story-fast\`.*
`;

const WEATHER = ['Fog until noon', 'Rain from the west', 'A clear, cold day', 'Wind, then none'];
const BOATS = ['Petrel', 'Old Anna', 'Kingfisher', 'Second Thought', 'Löwin', 'Étoile', '小舟'];
const CARGO = ['apples', 'slate', 'letters', 'lamp oil', 'a piano', 'salt', 'nothing at all'];
const NOTES = [
  'The lamp was trimmed twice and the bell oiled, so that neither would have an excuse.',
  'A heron stood on the sill all afternoon and let *everything* pass without a word.',
  'Two skippers argued over who came first; the ledger settled it, as ledgers should.',
  'The water rose a hand, thought better of it, and went **back** to where it was.',
];
const CODE: readonly (readonly [string, string])[] = [
  ['python', 'levels = [1.2, 1.4, 1.3]\nprint(sum(levels) / len(levels))'],
  ['typescript', 'const open = levels.every((level) => level < 3);\nsetGate(open);'],
  ['sql', "SELECT count(*) FROM ledger WHERE cargo = 'salt';"],
  ['rust', 'let highest = levels.iter().cloned().fold(0.0, f64::max);'],
  ['bash', 'tail -n 20 ledger.txt | sort | uniq -c'],
];

/** About `LONG_STORY_BYTES` long: the chapter that reaches it is the last but one. */
export function longStory(random: Random | null): string {
  const draw = random ?? seededRandom('long story');
  const pages = [OPENING];
  let sizeBytes = Buffer.byteLength(OPENING) + Buffer.byteLength(CLOSING);
  for (let day = 1; sizeBytes < LONG_STORY_BYTES; day += 1) {
    const page = dayPage(day, draw);
    pages.push(page);
    sizeBytes += Buffer.byteLength(page);
  }
  return [...pages, CLOSING].join('');
}

function dayPage(day: number, draw: Random): string {
  const rows = Array.from({ length: 4 }, (_, index) => {
    const hour = String(6 + index * 4).padStart(2, '0');
    return `| ${hour}:${draw() < 0.5 ? '15' : '40'} | ${one(BOATS, draw)} | ${one(CARGO, draw)} |`;
  });
  const page = [
    `\n## Day ${day}\n`,
    `${one(WEATHER, draw)}. ${one(NOTES, draw)} ${one(NOTES, draw)}\n`,
    `| Hour | Boat | Cargo |\n|:--|:--|:--|\n${rows.join('\n')}\n`,
    `- gate opened ${1 + Math.floor(draw() * 9)} times\n- highest level ${(1 + draw() * 2).toFixed(2)} m\n`,
  ];
  const code = CODE[day % (CODE.length * 2)];
  if (code !== undefined) page.push(`\`\`\`${code[0]}\n${code[1]}\n\`\`\`\n`);
  return page.join('\n');
}

function one(items: readonly string[], draw: Random): string {
  return items[Math.floor(draw() * items.length)] ?? '';
}
