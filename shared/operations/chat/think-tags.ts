/**
 * Takes reasoning out of an answer's text: models without a field of their own for it write
 * `<think>…</think>` before the answer, and some leave out the first of the two. A stream may cut the
 * tags anywhere.
 */

/** Missing in a choice without tags of which nothing is held back. */
export type ThinkTags = {
  /** The end of the text that may become a tag. */
  held: string;
  /** The tag is open. */
  inside: boolean;
  /** Reasoning was found in the text. */
  tagged: boolean;
};

type ThinkingText = { content: string; reasoning: string; think?: ThinkTags | undefined };

const OPEN = '<think>';
const CLOSE = '</think>';
const none: ThinkTags = { held: '', inside: false, tagged: false };

/** `whole`: nothing follows this piece, so nothing is held back. */
export function addText(before: ThinkingText, piece: string, whole: boolean): ThinkingText {
  const { content, reasoning, think = none } = before;
  const text = think.held + piece;
  if (text === '') return before;
  if (think.inside) return addInside(before, text, whole);
  if (content === '' && !think.tagged) return addAtStart(before, text, whole);
  // The line breaks between the tag and the answer are not part of it.
  if (think.tagged) {
    const rest = content === '' ? text.trimStart() : text;
    return { content: content + rest, reasoning, think: { ...none, tagged: true } };
  }
  return addToAnswer(before, text, whole);
}

function addAtStart(before: ThinkingText, text: string, whole: boolean): ThinkingText {
  const start = text.trimStart();
  if (start.startsWith(OPEN)) {
    const opened = { ...before, think: { held: '', inside: true, tagged: true } };
    return addText(opened, start.slice(OPEN.length), whole);
  }
  if (!whole && OPEN.startsWith(start)) return { ...before, think: { ...none, held: text } };
  return addToAnswer(before, text, whole);
}

function addInside(
  { content, reasoning }: ThinkingText,
  text: string,
  whole: boolean,
): ThinkingText {
  const end = text.indexOf(CLOSE);
  if (end === -1) {
    const { sure, held } = holdBack(text, whole);
    return { content, reasoning: reasoning + sure, think: { held, inside: true, tagged: true } };
  }
  const closed = {
    content,
    reasoning: (reasoning + text.slice(0, end)).trim(),
    think: { ...none, tagged: true },
  };
  return addText(closed, text.slice(end + CLOSE.length), whole);
}

/** A closing tag alone ends reasoning that began with the text, unless the answer is about the tag. */
function addToAnswer({ content, reasoning }: ThinkingText, text: string, whole: boolean) {
  let answer = content;
  let rest = text;
  for (let end = rest.indexOf(CLOSE); end !== -1; end = rest.indexOf(CLOSE)) {
    const before = answer + rest.slice(0, end);
    rest = rest.slice(end + CLOSE.length);
    if (reasoning === '' && !isQuoted(before)) {
      const closed = { content: '', reasoning: before.trim(), think: { ...none, tagged: true } };
      return addText(closed, rest, whole);
    }
    answer = before + CLOSE;
  }
  const { sure, held } = holdBack(rest, whole);
  const texts = { content: answer + sure, reasoning };
  return held === '' ? texts : { ...texts, think: { ...none, held } };
}

/** Splits off an end that may be the beginning of a closing tag. */
function holdBack(text: string, whole: boolean): { sure: string; held: string } {
  const at = whole ? -1 : text.lastIndexOf('<');
  if (at === -1 || !CLOSE.startsWith(text.slice(at))) return { sure: text, held: '' };
  return { sure: text.slice(0, at), held: text.slice(at) };
}

/** What follows is in code or quotes, or belongs to an opening tag in the middle of the text. */
function isQuoted(before: string): boolean {
  if (before.includes(OPEN) || /["'“‘«]$/.test(before)) return true;
  const fences = before.match(/^\s*(?:```|~~~)/gm)?.length ?? 0;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return fences % 2 === 1 || line.split('`').length % 2 === 0;
}
