/** Marks matches in the rendered messages with the CSS Custom Highlight API. */
import { findPositions, fold, type Match } from './find-text.ts';

const ALL = 'find';
const CURRENT = 'find-current';

/** Matches parts of a message that aren't its text or that are hidden. */
const NOT_TEXT = 'header, button, details, [hidden], .katex-mathml, .visually-hidden';

/** Highlights all matches in the log and returns the range of the current one, if it's rendered. */
export function highlightMatches(log: Element, query: string, current: Match | null): Range | null {
  clearHighlights();
  const wanted = fold(query);
  if (wanted === '') return null;
  const all: Range[] = [];
  let found: Range | null = null;
  for (const message of log.querySelectorAll('[data-message]')) {
    const choices = message.querySelectorAll('[data-choice]');
    for (const choice of choices.length === 0 ? [message] : choices) {
      const ranges = [...choice.querySelectorAll('[data-message-text]')].flatMap((part) =>
        findRanges(part, wanted),
      );
      all.push(...ranges);
      const id = choice.getAttribute('data-choice') ?? choice.getAttribute('data-message');
      // The page can show fewer matches than the source has.
      if (id === current?.choiceId) found = ranges[current.position] ?? ranges.at(-1) ?? null;
    }
  }
  CSS.highlights.set(ALL, new Highlight(...all));
  if (found !== null) CSS.highlights.set(CURRENT, new Highlight(found));
  return found;
}

export function clearHighlights(): void {
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(CURRENT);
}

function findRanges(root: Element, wanted: string): Range[] {
  const nodes: { node: Node; start: number }[] = [];
  let text = '';
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ALL, (node) => {
    if (node instanceof Element) {
      return node.matches(NOT_TEXT) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
    }
    return node.nodeType === Node.TEXT_NODE ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT;
  });
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    nodes.push({ node, start: text.length });
    text += node.textContent ?? '';
  }
  let first = 0;
  return findPositions(fold(text), wanted).map((start) => {
    const end = start + wanted.length;
    while ((nodes[first + 1]?.start ?? Number.POSITIVE_INFINITY) <= start) first += 1;
    let last = first;
    while ((nodes[last + 1]?.start ?? Number.POSITIVE_INFINITY) < end) last += 1;
    const range = new Range();
    const [from, to] = [nodes[first], nodes[last]];
    if (from !== undefined) range.setStart(from.node, start - from.start);
    if (to !== undefined) range.setEnd(to.node, end - to.start);
    return range;
  });
}

/** Returns the pixels to scroll for the range to be in the middle; 0 if it's in view. */
export function getDistance(scroller: Element, range: Range): number {
  const { top, bottom } = range.getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  const isInView = top >= view.top && bottom <= view.bottom;
  return isInView ? 0 : (top + bottom) / 2 - (view.top + view.bottom) / 2;
}
