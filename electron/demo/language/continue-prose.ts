/** Continues the text of a completion request in plain prose. */
import { pick, type Random } from './random.ts';

interface Continuation {
  prompt: string;
  /** Text that follows the continuation; empty if there is none. */
  suffix: string;
  /** If null, the same prompt always gets the same words. */
  random: Random | null;
  paragraphs: number;
}

/** Starts in the sentence that the prompt left open, or with a new one. */
export function continueProse({ prompt, suffix, random, paragraphs }: Continuation): string {
  const choose = <Item>(items: readonly [Item, ...Item[]]): Item =>
    random === null ? items[0] : pick(items, random);
  const texts = Array.from({ length: paragraphs }, (_, index) => {
    const slots = PARAGRAPHS[index % PARAGRAPHS.length] ?? [];
    return slots.map((sentences) => choose(sentences)).join(' ');
  });
  return `${openSentence(prompt, choose)}${texts.join('\n\n')}${leadInto(suffix)}`;
}

type Sentences = readonly [string, ...string[]];
type Choose = (sentences: Sentences) => string;

/** Ends with a space, so that a sentence can follow. */
function openSentence(prompt: string, choose: Choose): string {
  const text = prompt.trimEnd();
  const gap = text === prompt ? ' ' : '';
  if (text === '' || /[.!?…:;]["'”’)]*$/.test(text)) return text === '' ? '' : gap;
  const [word = ''] = /[\p{L}']+$/u.exec(text.toLowerCase()) ?? [];
  const rest = OPENINGS.find(([words]) => words.has(word))?.[1] ?? CLAUSES;
  const first = choose(rest);
  return `${/^[,.]/.test(first) ? '' : gap}${first} `;
}

const CLAUSES: Sentences = [
  ', or so it said in the notebook.',
  ', and for once nobody argued.',
  ', although it was a while before anyone said so aloud.',
];

/** Words after which a sentence can’t end, and what follows them. */
const OPENINGS: readonly [ReadonlySet<string>, Sentences][] = [
  [
    new Set(['a', 'the', 'this', 'that', 'his', 'her', 'their', 'my', 'our', 'its', 'every', 'no']),
    ['river gate.', 'narrow door in the wall.', 'old notebook.'],
  ],
  [new Set(['an']), ['old gate below the mill.', 'empty boat.', 'open door.']],
  [
    new Set('of in to by at on with from for into over under near behind'.split(' ')),
    ['the river.', 'the old mill.', 'the gate.'],
  ],
  [
    new Set('and but or because when if while so as'.split(' ')),
    ['the river was still rising.', 'nobody had slept.', 'the lamp was still lit.'],
  ],
  [new Set(['once']), ['upon a time there was a gate with one keeper.']],
];

const PARAGRAPHS: readonly (readonly Sentences[])[] = [
  [
    [
      'It was the kind of morning on which nothing is supposed to happen.',
      'Nobody spoke of it at first.',
      'Later, everyone remembered the weather.',
    ],
    [
      'The wind had gone round to the east before dawn, and the kettle had only just begun to sing.',
      'The tide was out, the lamp was trimmed, and the stove was warm enough to sit beside.',
      'There was fog on the water, and above it a sky as clean as a plate.',
    ],
    [
      'Then there was a knock, and after a while another, more polite than the first.',
      'Then a rope came down past the window, slowly, as if it were looking for something.',
      'Then someone laughed outside, where there was nothing to stand on but air.',
    ],
  ],
  [
    [
      '“You will want tea,” said the keeper, because that was what one said.',
      '“Mind the step,” said the keeper, and opened the door a hand wide.',
      'The keeper put down the pen, marked the page, and went to see.',
    ],
    [
      'There were two of them, in coats too thin for the height they had come from.',
      'A basket stood on the wall, and three people in it were arguing over a map.',
      'On the doorstep lay a hat, a sandbag, and a letter with no stamp.',
    ],
    [
      'They had left at midnight, they said, and had not meant to stop before the mountains.',
      'They were looking for the sea, which was a little to the left, and had been all along.',
      'They asked what day it was, and were delighted with the answer.',
    ],
  ],
  [
    [
      'By noon the wind had changed its mind, and so had the visitors.',
      'They stayed until the lamp was lit, and ate everything but the candles.',
      'It took all afternoon to mend the seam, and nobody minded.',
    ],
    [
      'The keeper wrote it down that evening: one balloon, passed once.',
      'In the notebook there was no column for them, so the keeper drew one.',
      'What they left behind was a map, a good story, and a very long rope.',
    ],
  ],
];

/** A suffix that starts in lowercase continues the sentence. */
function leadInto(suffix: string): string {
  if (suffix === '') return '';
  if (/^\s/.test(suffix)) return ' That was all there was to tell.';
  return /^\p{Ll}/u.test(suffix)
    ? ' In the end the visitors went on their way, '
    : ' That was all there was to tell. ';
}
