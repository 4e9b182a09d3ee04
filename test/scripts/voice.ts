/** Finds comments and test titles that break the voice rules of CONTRIBUTING.md. */
import type { Sources } from './boundaries.ts';

const PATTERNS = [
  /^(What|Of|Beside|Behind|Also false|The same)\b/,
  /\b(?!(?:lines?|pieces?|chunks?|bytes)\b)[a-z]+ of JSON\b(?! (?:text|objects?|values?|documents?|bodies)\b)/i,
  /\b(null|none|empty|undefined) where\b/i,
  /\b(goes|go|went) on\b/i,
  /\bof (its|their) own\b/i,
  /\b(is|are|was|were) (told|said|heard)\b/i,
  /\bwhat (came|comes|had|goes)\b/i,
  /(?<!there )\b(is|are) no (?!longer\b|such\b)[a-z]+\b/i,
  /\b([a-z]+) \1\b/i,
];

/** Returns `path:line: text` for each comment and test title that breaks a rule. */
export function findOddTexts(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) =>
    [...readComments(source), ...readTitles(source)]
      .filter(({ text }) => PATTERNS.some((pattern) => pattern.test(text)))
      .map(({ line, text }) => `${path}:${line}: ${text}`),
  );
}

interface Text {
  line: number;
  text: string;
}

/** Joins the lines of each comment that has its lines to itself. */
function readComments(source: string): Text[] {
  const comments: Text[] = [];
  let open = false;
  for (const [index, raw] of source.split('\n').entries()) {
    const line = /^\s*(\/\/|\/\*\*?|\*(?!\/)|\*\/)\s?(.*)$/.exec(raw);
    const [, mark = '', text = ''] = line ?? [];
    const isContinued = (mark === '*' || mark === '//') && open;
    if (mark === '' || mark === '*/') open = false;
    else if (isContinued) {
      const last = comments.at(-1);
      if (last !== undefined) last.text = `${last.text} ${endComment(text)}`.trim();
      open = !text.endsWith('*/');
    } else if (mark !== '*') {
      comments.push({ line: index + 1, text: endComment(text) });
      open = !text.endsWith('*/');
    }
  }
  return comments;
}

function endComment(text: string): string {
  return text.replace(/\s*\*\/$/, '').trim();
}

function readTitles(source: string): Text[] {
  const plain = source.matchAll(/\b(?:it|test)(?:\.[a-z]+)*\(\s*(['"`])(.*?)\1/g);
  const ofEach = source.matchAll(/\)\(\s*(['"`])(.*?)\1,\s*(?:async\b|\()/g);
  return [...plain, ...ofEach].map((match) => ({
    line: source.slice(0, match.index).split('\n').length,
    text: match[2] ?? '',
  }));
}
