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

/** Ends the sentence that the prompt left open, if there is one, and adds paragraphs. */
export function continueProse({ prompt, suffix, random, paragraphs }: Continuation): string {
  const code = continueCode(prompt, suffix);
  if (code !== null) return code;
  const choose: Choose = (items) => (random === null ? items[0] : pick(items, random));
  const texts = Array.from({ length: paragraphs }, (_, index) => {
    const slots = PARAGRAPHS[index % PARAGRAPHS.length] ?? [];
    return slots.map((sentences) => choose(sentences)).join(' ');
  });
  return `${openSentence(prompt, choose)}${texts.join('\n\n')}${leadInto(suffix)}`;
}

type Sentences = readonly [string, ...string[]];
type Choose = (sentences: Sentences) => string;

/** Returns null unless the last line opens a block of code. */
function continueCode(prompt: string, suffix: string): string | null {
  const [line = ''] = /[^\n]*$/.exec(prompt.trimEnd()) ?? [];
  const isPython = /^\s*(?:def|class|for|while|if)\b.*:$/.test(line);
  if (!isPython && !/[{([]$|=>$/.test(line)) return null;
  const gap = /\n\s*$/.test(prompt) ? '' : '\n';
  const indent = /\n[ \t]+$/.test(prompt) ? '' : isPython ? '    ' : '  ';
  if (isPython) return `${gap}${indent}# A simulated model can’t write code. A real one would.\n`;
  const isFibonacci = /fibonacci/i.test(line) && /\bn\b/.test(line);
  const lines = isFibonacci
    ? FIBONACCI
    : ['// A simulated model can’t write code. A real one would.'];
  const close = suffix === '' && line.endsWith('{') ? '}\n' : '';
  return `${gap}${indent}${lines.join('\n  ')}\n${close}`;
}

/** Completes the example of the Completion panel. */
const FIBONACCI = [
  'const numbers = [0, 1];',
  'while (numbers.length < n) numbers.push(numbers.at(-1) + numbers.at(-2));',
  'return numbers.slice(0, n);',
];

/** Ends with a space, so that a sentence can follow, unless a new line does that. */
function openSentence(prompt: string, choose: Choose): string {
  const text = prompt.trimEnd();
  const space = prompt.slice(text.length);
  if (text === '' || space.includes('\n')) return '';
  if (/^dear\b[^\n]*,$/im.test(text)) return '\n\n';
  const gap = space === '' ? ' ' : '';
  if (/[.!?…:;]["'”’)]*$/.test(text)) return gap;
  const quote = /(?:^|[\s(])(["“])$/.exec(text)?.[1];
  if (quote !== undefined) return `${choose(SPEECH)}${quote === '“' ? '”' : '"'} said the keeper. `;
  const endings = ENDINGS.find(([words]) => words.test(text))?.[1];
  if (endings !== undefined) {
    const ending = choose(endings);
    return ending.startsWith(',') && space === ''
      ? `${ending} `
      : `${gap}${ending.replace(/^, /, '')} `;
  }
  const separator = space === '' && !/[,–—-]$/.test(text) ? ',' : '';
  return `${separator}${separator === '' ? gap : ' '}${choose(CLAUSES)} `;
}

const SPEECH: Sentences = ['You will want tea,', 'Mind the step,', 'Count everything that passes,'];

const CLAUSES: Sentences = [
  'or so it said in the notebook.',
  'and for once nobody argued.',
  'although it was a while before anyone said so aloud.',
];

/** Matches text that ends with one of the words, in any case. */
function endsWith(words: string): RegExp {
  return new RegExp(`(?:^|[^\\p{L}'’])(?:${words.replaceAll(' ', '|')})$`, 'iu');
}

/** Words after which a sentence can’t end, and what follows them; the first row that matches counts. */
const ENDINGS: readonly [RegExp, Sentences][] = [
  [/^\s*once$/i, ['upon a time there was a gate with one keeper.']],
  [/once upon a time$/i, [', there was a gate with one keeper.']],
  [
    /["”] (?:asked|said|whispered|replied|called)$/i,
    ['the keeper.', 'somebody outside.', 'the man at the door.'],
  ],
  [
    endsWith('a the this his her their my our your its every no some another each'),
    ['river gate.', 'narrow door in the wall.', 'old notebook.'],
  ],
  [endsWith('an'), ['old gate below the mill.', 'empty boat.', 'open door.']],
  [
    /(?:need|want|have|had|has|go|going|like|tri|try|tries|begin|began|start|use|able|how|decide|ready)(?:e?d|s)? to$/i,
    ['wait for the tide.', 'ask the keeper.', 'stay until morning.'],
  ],
  [
    endsWith('of in to by at on with from for into over under near behind than about through'),
    ['the river.', 'the old mill.', 'the gate.'],
  ],
  [
    endsWith('is are was were am be been isn.t aren.t wasn.t weren.t seems seemed'),
    ['not far from the river.', 'well known in the valley.', 'still a mystery to everyone.'],
  ],
  [
    endsWith(
      'will would can could must should shall may might do does did cannot let.s don.t doesn.t didn.t ' +
        'can.t couldn.t won.t wouldn.t shouldn.t i.ll we.ll you.ll he.ll she.ll they.ll',
    ),
    ['wait for the tide.', 'ask the keeper.', 'stay until morning.'],
  ],
  [
    endsWith('haven.t hasn.t hadn.t never'),
    ['slept.', 'seen a balloon before.', 'said a word about it.'],
  ],
  [
    endsWith('have has had opened found saw heard took held carried bought wanted needed'),
    ['an old notebook.', 'a letter with no stamp.', 'a box of candles.'],
  ],
  [
    endsWith('i he she we they who nobody everyone somebody'),
    ['knew the way by heart.', 'said nothing about it.', 'went back to the gate.'],
  ],
  [
    endsWith(
      'and but or because when if while so as that whether although though since until before after ' +
        'where how why whenever unless said says thought knew',
    ),
    ['the river was still rising.', 'nobody had slept.', 'the lamp was still lit.'],
  ],
  [endsWith('which what'), ['nobody could explain.', 'the notebook left out.']],
  [
    endsWith('very too quite rather really more most less'),
    ['quiet.', 'old, and proud of it.', 'cold for the time of year.'],
  ],
  [
    endsWith('two three four five six seven eight nine ten many few several'),
    ['boats, one of them empty.', 'lamps, all of them lit.'],
  ],
];

const PARAGRAPHS: readonly (readonly Sentences[])[] = [
  [
    [
      'It was the kind of morning on which nothing is supposed to happen.',
      'Nobody spoke of it at first.',
      'Later, everyone remembered the weather.',
    ],
    [
      'The wind had swung around to the east before dawn, and the kettle had just begun to sing.',
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
