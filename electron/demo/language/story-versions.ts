/** `demo-story-brief` and `demo-story-slow`: the story of `demo-story` in one paragraph, and with two more nights. */
import { lastUserText, type Question, shorten } from './answer.ts';
import { pick, type Random } from './random.ts';
import { story } from './story.ts';

const LESSONS = [
  'count, wait, and write down what you do not know',
  'a gate that cannot say no is only a hole in the wall',
  'a number on paper is calmer than a number in your head',
] as const;

/** Always the first lesson without a draw. */
export function briefStory({ messages, random }: Question): string {
  const lesson = random === null ? LESSONS[0] : pick(LESSONS, random);
  const paragraph = [
    'The river has one gate, the gate one keeper, and the keeper three rules: count everything that passes, never send the same boat twice, and if the water is silent, ask why.',
    'One night the storm came. Three small programs watched the level, kept the ledger and rang the bell, once.',
    `At dawn the gate opened, and the keeper told the child on the towpath what the night had taught: **${lesson}**.`,
  ].join(' ');
  const question = shorten(lastUserText(messages), 120);
  return `${paragraph}\n\n*Simulated by \`demo-story-brief\`. You wrote “${question}”*\n`;
}

/** The same story word for word, so that a comparison shows what was added. */
export function slowStory(random: Random | null): string {
  return story(random, NIGHTS).replaceAll('`demo-story`', '`demo-story-slow`');
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
