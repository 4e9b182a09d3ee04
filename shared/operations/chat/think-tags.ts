/** Extracts reasoning in tags, but leaves tags that the answer only mentions in its text. */

/** Undefined if the choice has no tags and no buffered text. */
export type ThinkTags = {
  /** Buffered end of the text: part of a tag, or a tag that can't be classified yet. */
  held: string;
  /** The opening tag hasn't been closed yet. */
  inside: boolean;
  /** True once reasoning has been found in tags. */
  tagged: boolean;
  /** The offset in the reasoning at which the open tag's text starts; defaults to 0. */
  from?: number;
  /** The open tag, or the last one that was closed; by default, the first of the table. */
  tag?: ReasoningTag;
};

export type ThinkingText = { content: string; reasoning: string; think?: ThinkTags | undefined };

/** `stopped`: the model ended the text; `cut`: a limit, an error or another part ended it. */
export type TextEnd = 'more' | 'stopped' | 'cut';

interface ReasoningTag {
  open: string;
  close: string;
  /** Text that ends the reasoning before the closing tag. */
  tail?: string;
  /** The model or the gateway that writes the tag. */
  source: string;
}

const OPEN = '<think>';
const CLOSE = '</think>';

/** Only the first is also recognized by its closing tag alone, which chat templates leave. */
export const REASONING_TAGS: readonly ReasoningTag[] = [
  {
    open: OPEN,
    close: CLOSE,
    source: 'https://docs.sglang.ai/advanced_features/separate_reasoning.html',
  },
  {
    open: '<thinking>',
    close: '</thinking>',
    source: 'https://github.com/promptfoo/promptfoo/pull/9587',
  },
  {
    open: '<thought>',
    close: '</thought>',
    source: 'https://github.com/vercel/ai/issues/14720',
  },
  {
    open: '<reasoning>',
    close: '</reasoning>',
    source: 'https://github.com/tinyhumansai/openhuman/issues/6184',
  },
  {
    open: '[THINK]',
    close: '[/THINK]',
    source: 'https://github.com/isaiah-harville/Primer/issues/109',
  },
  {
    open: '<seed:think>',
    close: '</seed:think>',
    source: 'https://huggingface.co/ByteDance-Seed/Seed-OSS-36B-Instruct',
  },
  {
    open: '◁think▷',
    close: '◁/think▷',
    source: 'https://docs.sglang.ai/advanced_features/separate_reasoning.html',
  },
  {
    open: '<|channel|>analysis<|message|>',
    close: '<|channel|>final<|message|>',
    tail: '<|end|><|start|>assistant',
    source: 'https://github.com/openai/harmony/blob/main/docs/format.md',
  },
  {
    open: '<|channel>thought',
    close: '<channel|>',
    source: 'https://github.com/laurent22/joplin/pull/16595',
  },
];

const defaultTag: ReasoningTag = { open: OPEN, close: CLOSE, source: '' };
const none: ThinkTags = { held: '', inside: false, tagged: false };

/** Matches text after an opening tag that a sentence mentions, such as `<think>, then`. */
const OPENS_SENTENCE = /^[ \t]+\p{Ll}|^[ \t]*[.,;:!?…/&|<)\]]/u;
/** Matches text after a closing tag that a sentence mentions, such as `</think> are stripped`. */
const GOES_ON = /^[ \t]+\p{Ll}|^[ \t]*[.,;:!?…]/u;
/** Without an opening tag, a closing tag ends reasoning after a sentence or at a line start. */
const ENDS_SENTENCE = /(?:^|\n) {0,3}$|[.!?…。！？]$/;
const BEGINS_TEXT = /^[\p{L}\p{N}]/u;
/** It also ends reasoning directly after a word, because prose puts a space before a tag. */
const ENDS_WORD = /[\p{Ll}\p{Lu}\p{Nd})\]}*]$/u;
const BEGINS_SENTENCE = /^[\p{Lu}\p{Lo}\p{N}]/u;
/** A line break after the tag confirms that it ends reasoning. */
const LINE_BREAK = /^[ \t]*[\r\n]/;

/** Returns the same object if nothing was added. */
export function addText(before: ThinkingText, piece: string, end: TextEnd): ThinkingText {
  const { content, think = none } = before;
  const text = think.held + piece;
  if (think.inside) return addInside(before, text, end);
  if (text === '') return before;
  if (content === '' && !think.tagged) return addAtStart(before, text, end);
  // The line breaks between the tag and the answer are not part of the answer.
  if (think.tagged) return addAfterTag(before, text, end);
  return addToAnswer(before, text, end);
}

/** A block of the same kind may follow directly. */
function addAfterTag(before: ThinkingText, text: string, end: TextEnd): ThinkingText {
  const { content, reasoning, think: { tag = defaultTag } = none } = before;
  const rest = content === '' ? text.trimStart() : text;
  const closed = { ...none, tagged: true, tag };
  if (content === '' && rest.startsWith(tag.open)) {
    const thought = reasoning === '' ? '' : `${reasoning}\n\n`;
    const think = { ...closed, inside: true, from: thought.length };
    return addInside({ content, reasoning: thought, think }, rest.slice(tag.open.length), end);
  }
  if (content === '' && rest !== '' && end === 'more' && tag.open.startsWith(rest)) {
    return { content, reasoning, think: { ...closed, held: rest } };
  }
  return { content: content + rest, reasoning, think: closed };
}

function addAtStart(before: ThinkingText, text: string, end: TextEnd): ThinkingText {
  const start = text.trimStart();
  const tag = REASONING_TAGS.find(({ open }) => start.startsWith(open));
  const inner = tag === undefined ? null : start.slice(tag.open.length);
  const mayOpen =
    inner === null
      ? REASONING_TAGS.some(({ open }) => open.startsWith(start))
      : inner.trim() === '' && !hasBreak(inner);
  if (mayOpen && end === 'more') return { ...before, think: { ...none, held: text } };
  const isCode = /(?:^|\n)(?: {4}|\t)[ \t]*$/.test(text.slice(0, text.length - start.length));
  if (tag === undefined || inner === null || isCode || OPENS_SENTENCE.test(inner)) {
    return addToAnswer(before, text, end);
  }
  const think = { held: '', inside: true, tagged: true, from: before.reasoning.length, tag };
  return addInside({ ...before, think }, inner, end);
}

function addInside(before: ThinkingText, text: string, end: TextEnd): ThinkingText {
  const { content, reasoning, think = none } = before;
  const { from = 0, tag = defaultTag } = think;
  const { open, close, tail = '' } = tag;
  const at = text.indexOf(close);
  const asText = (more: string, rest: string) => {
    const earlier = reasoning.slice(0, from).trimEnd();
    return addToAnswer({ content: open + more, reasoning: earlier }, rest, end);
  };
  if (at === -1) {
    // A model that stops inside an open tag has probably only mentioned the tag.
    const whole = end === 'stopped' ? reasoning.slice(from) + text : null;
    if (whole !== null && !LINE_BREAK.test(whole)) return asText(whole, '');
    const { sure, held } = holdBack(text, close, end);
    if (sure === '' && held === think.held) return before;
    return { content, reasoning: reasoning + sure, think: { ...think, held } };
  }
  const rest = text.slice(at + close.length);
  const thought = reasoning.slice(from) + text.slice(0, at);
  if (!hasBreak(thought)) {
    if (end === 'more' && rest.trim() === '' && !hasBreak(rest)) {
      const sure = reasoning + text.slice(0, at);
      return { content, reasoning: sure, think: { ...think, held: text.slice(at) } };
    }
    if (GOES_ON.test(rest)) return asText(thought + close, rest);
  }
  const whole = (reasoning + text.slice(0, at)).trim();
  const closed = whole.endsWith(tail) ? whole.slice(0, whole.length - tail.length).trim() : whole;
  return addText({ content, reasoning: closed, think: { ...none, tagged: true, tag } }, rest, end);
}

function addToAnswer({ content, reasoning }: ThinkingText, text: string, end: TextEnd) {
  const at = reasoning === '' ? text.indexOf(CLOSE) : -1;
  const { sure, held } = holdBack(text, CLOSE, end);
  if (at === -1 && held === '') return { content: content + text, reasoning };
  // If the answer already contains a closing tag, later tags don't end reasoning.
  if (content.includes(CLOSE)) return { content: content + text, reasoning };
  if (at === -1) return { content: content + sure, reasoning, think: { ...none, held } };
  const before = content + text.slice(0, at);
  const rest = text.slice(at + CLOSE.length);
  if (rest.trim() === '' && end === 'more') {
    return { content: before, reasoning, think: { ...none, held: text.slice(at) } };
  }
  const thought = findThought(before, rest, end);
  if (thought === null) return { content: content + text, reasoning };
  const closed = { content: '', reasoning: thought, think: { ...none, tagged: true } };
  return addText(closed, rest, end);
}

/** Returns the reasoning before a closing tag; null if the tag is part of the answer. */
function findThought(before: string, after: string, end: TextEnd): string | null {
  const start = before.trimStart();
  const isOpened = start.startsWith(OPEN);
  const thought = isOpened ? start.slice(OPEN.length) : before;
  if (thought.includes(OPEN) || thought.includes(CLOSE) || isInCode(before)) return null;
  const isEmpty = after.trim() === '';
  // An answer that ends with a tag only mentions it, unless the text was cut off there.
  if (isEmpty && (isOpened || end === 'stopped')) return null;
  const isEnd = isOpened ? !GOES_ON.test(after) : isEndOfThought(before, after);
  return isEnd ? thought.trim() : null;
}

function isEndOfThought(before: string, after: string): boolean {
  const endsSentence = ENDS_SENTENCE.test(before);
  if (!endsSentence && !ENDS_WORD.test(before)) return false;
  if (LINE_BREAK.test(after)) return true;
  const begins = endsSentence ? BEGINS_TEXT : BEGINS_SENTENCE;
  return (after.trim() === '' || begins.test(after)) && !isQuoted(before);
}

/** Returns true if the text ends inside an open quotation or starts like JSON or XML. */
function isQuoted(before: string): boolean {
  const line = getLastLine(before);
  return (
    /^\s*[[{<]/.test(before) ||
    line.split('"').length % 2 === 0 ||
    line.lastIndexOf('“') > line.lastIndexOf('”') ||
    /(?:^|[\s(])'[^']*$/.test(line)
  );
}

/** Buffers the end of the text if a closing tag may start there. */
function holdBack(text: string, close: string, end: TextEnd): { sure: string; held: string } {
  const first = close.charAt(0);
  const from = end === 'more' ? Math.max(0, text.length - close.length + 1) : text.length;
  for (let at = text.indexOf(first, from); at !== -1; at = text.indexOf(first, at + 1)) {
    if (close.startsWith(text.slice(at))) return { sure: text.slice(0, at), held: text.slice(at) };
  }
  return { sure: text, held: '' };
}

function getLastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}

function hasBreak(text: string): boolean {
  return /[\r\n]/.test(text);
}

/** Returns true inside a code block or inline code. */
function isInCode(before: string): boolean {
  const line = getLastLine(before);
  let fence = '';
  for (const [, marks = '', info = ''] of before.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    if (fence === '') fence = marks;
    else if (marks.startsWith(fence) && info.trim() === '') fence = '';
  }
  // Markdown closes a run of backticks with a run of the same length.
  return fence !== '' || line.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '').includes('`');
}
