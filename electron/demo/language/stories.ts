/** Writes the stories of `demo-story`, `demo-story-brief`, `demo-story-slow` and `demo-story-fast`. */

import { getLastUserText, type Question, shorten } from './answer.ts';
import { createSeededRandom, pick, type Random } from './random.ts';

const PEOPLE = ['Mara', 'Ines', 'Tomas', 'Ruth', 'Kofi', 'Linnea'] as const;
const PLACES = ['Saltmere', 'Hollow Weir', 'Greywater', 'Larkbridge'] as const;
const NEXT_HEADING = '## What the river taught';

export function writeStory(random: Random | null, furtherNights = ''): string {
  const person = random === null ? PEOPLE[0] : pick(PEOPLE, random);
  const place = random === null ? PLACES[0] : pick(PLACES, random);
  return STORY.replace(NEXT_HEADING, `${furtherNights}${NEXT_HEADING}`)
    .replaceAll('{person}', person)
    .replaceAll('{place}', place);
}

const STORY = `# The Gatehouse at {place}

*A short story from a simulated model: the demo gateway wrote this, not an AI.*

The river at {place} has one gate, and the gate has one keeper. **{person}** learned the work from a notebook with three rules:

1. Count everything that passes.
2. Never send the same boat *twice*.
3. If the water is silent, ask why.

## The first night

A storm was due. {person} wrote down the levels, because a number on paper is calmer than a number in your head:

| Hour | Level | Gate |
|:-----|------:|:-----|
| 20:00 | 1.2 m | open |
| 22:00 | 2.9 m | half |
| 00:00 | 3.4 m | closed |

> "A gate that cannot say no is only a hole in the wall," the notebook said.

The first program was for the lamp, in Python:

\`\`\`python
def lamp(level: float) -> str:
    return "red" if level > 3.0 else "green"
\`\`\`

The second asked the sea for news, in TypeScript:

\`\`\`typescript
const reply = await fetch('/tide');
const { level } = await reply.json();
console.log(\`The tide is at \${level} m\`);
\`\`\`

## What the river taught

By spring the little programs had names and neighbors:

- **Lamp** watches the level.
- **Ledger** remembers every boat:
  - its name
  - its hour
- **Bell** rings once, and only once.

The ledger answers to SQL:

\`\`\`sql
SELECT boat, passed_at FROM ledger
WHERE passed_at > '20:00' ORDER BY passed_at;
\`\`\`

The bell must never ring twice, so it is written in Rust:

\`\`\`rust
fn ring(rung: &mut bool) {
    if !*rung { println!("dong"); }
    *rung = true;
}
\`\`\`

And the whole house wakes with one line of shell:

\`\`\`bash
./lamp & ./ledger & ./bell && echo "The gate is kept."
\`\`\`

## Morning

At dawn a child called up from the towpath: *was it hard?*

"No," said {person}. "I counted, I waited, and when I did not know, I wrote that down too."

The gate opened. The water went through, **and so did the day**.

---

*Simulated by \`demo-story\`. To see a real model answer here, add a connection with your own gateway in Settings.*
`;

const LESSONS = [
  'count, wait, and write down what you do not know',
  'a gate that cannot say no is only a hole in the wall',
  'a number on paper is calmer than a number in your head',
] as const;

export function writeBriefStory({ messages, random }: Question): string {
  const lesson = random === null ? LESSONS[0] : pick(LESSONS, random);
  const paragraph = [
    'The river has one gate, the gate one keeper, and the keeper three rules: count everything that passes, never send the same boat twice, and if the water is silent, ask why.',
    'One night the storm came. Three small programs watched the level, kept the ledger and rang the bell, once.',
    `At dawn the gate opened, and the keeper told the child on the towpath what the night had taught: **${lesson}**.`,
  ].join(' ');
  const question = shorten(getLastUserText(messages), 120);
  return `${paragraph}\n\n*Simulated by \`demo-story-brief\`. You wrote “${question}”*\n`;
}

/** Both versions share their wording, so a comparison shows only the added text. */
export function writeSlowStory(random: Random | null): string {
  return writeStory(random, NIGHTS).replaceAll('`demo-story`', '`demo-story-slow`');
}

const NIGHTS = `## The second night

Nobody slept, because the first night had gone too well. {person} walked the wall from end to end and back, with a lantern, a flask and the notebook, and at every tenth step put a hand on the stone to feel whether it hummed. It did not hum. That was written down as well, because *nothing happened* is an observation, and the only one that a keeper hopes to repeat.

Toward midnight a barge came down without lights. Its skipper had been told that the gate at the mill was shut, and that the one at the weir was open; both had been true in the afternoon. {person} read the levels aloud over the water:

1. At the mill: 2.1 m and falling.
2. At the weir: 3.0 m and rising.
3. Here: exactly as much as the river pleases.

> "Then which way is safe?" asked the skipper. "The way that somebody counted," said {person}.

They tied the barge to the ring below the tower, and the ledger got a line of its own for a boat that did not pass. It was the first such line in eleven years, and it took the longest to write, because nobody remembered which column meant *stayed*.

## The third night

The water was silent. No slap against the piles, no suck at the sluice, no rain. {person} stood at the window for as long as it takes to boil an egg, and then followed the third rule and asked why.

The answer lay half a mile upstream: an alder, as thick as a church door is wide, had come down across the narrows and brought half a hedge with it. Behind it the river was making up its mind. There were four things to do and time for three of them:

- wake the mill, which had the only saw that was worth the name;
- open both leaves of the gate, so that what came would find a way through;
- move the barge, its skipper and his sleeping dog to the meadow side;
- and be afraid.

{person} did the first three. The saw arrived by cart at two, and the alder gave way at four, with a sound that the mill still talks about. The wave that followed was brown, loud and a hand lower than the lintel. It went through the open gate as if it had an appointment, and by five there was nothing left of it but foam on the towpath and a line in the ledger: *one river, passed once*.

`;

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

export function writeLongStory(random: Random | null): string {
  const draw = random ?? createSeededRandom('long story');
  const pages = [OPENING];
  let sizeBytes = Buffer.byteLength(OPENING) + Buffer.byteLength(CLOSING);
  for (let day = 1; sizeBytes < LONG_STORY_BYTES; day += 1) {
    const page = writeDayPage(day, draw);
    pages.push(page);
    sizeBytes += Buffer.byteLength(page);
  }
  return [...pages, CLOSING].join('');
}

function writeDayPage(day: number, draw: Random): string {
  const rows = Array.from({ length: 4 }, (_, index) => {
    const hour = String(6 + index * 4).padStart(2, '0');
    return `| ${hour}:${draw() < 0.5 ? '15' : '40'} | ${pickOne(BOATS, draw)} | ${pickOne(CARGO, draw)} |`;
  });
  const page = [
    `\n## Day ${day}\n`,
    `${pickOne(WEATHER, draw)}. ${pickOne(NOTES, draw)} ${pickOne(NOTES, draw)}\n`,
    `| Hour | Boat | Cargo |\n|:--|:--|:--|\n${rows.join('\n')}\n`,
    `- gate opened ${1 + Math.floor(draw() * 9)} times\n- highest level ${(1 + draw() * 2).toFixed(2)} m\n`,
  ];
  const code = CODE[day % (CODE.length * 2)];
  if (code !== undefined) page.push(`\`\`\`${code[0]}\n${code[1]}\n\`\`\`\n`);
  return page.join('\n');
}

function pickOne(items: readonly string[], draw: Random): string {
  return items[Math.floor(draw() * items.length)] ?? '';
}
