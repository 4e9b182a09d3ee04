/** `demo-story`: a long markdown answer with headings, lists, a table and code in five languages. */
import { pick, type Random } from './random.ts';

const PEOPLE = ['Mara', 'Ines', 'Tomas', 'Ruth', 'Kofi', 'Linnea'] as const;
const PLACES = ['Saltmere', 'Hollow Weir', 'Greywater', 'Larkbridge'] as const;
/** Where the first night ends. */
const NEXT_HEADING = '## What the river taught';

/**
 * The first choice without a seed is always about Mara at Saltmere; other draws differ. `furtherNights` is Markdown that
 * follows the first night.
 */
export function story(random: Random | null, furtherNights = ''): string {
  const person = random === null ? PEOPLE[0] : pick(PEOPLE, random);
  const place = random === null ? PLACES[0] : pick(PLACES, random);
  return STORY.replace(NEXT_HEADING, `${furtherNights}${NEXT_HEADING}`)
    .replaceAll('{person}', person)
    .replaceAll('{place}', place);
}

const STORY = `# The Gatehouse at {place}

*A short story from a simulated model: no AI wrote this; the demo gateway knows it by heart.*

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
