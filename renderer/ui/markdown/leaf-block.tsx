/** Renders a paragraph, heading, rule or HTML block from `marked` tokens. */
import { Lexer, type MarkedToken } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import { Inline, isPlainText } from './inline.tsx';
import { settleInlineTail } from './inline-tail.ts';
import styles from './markdown.module.css';
import { splitParagraph } from './paragraph-runs.ts';

interface LeafBlockProps {
  raw: string;
  growing: boolean;
  /** True in a list or quote, whose first letter sets its direction; `dir` here would hide it. */
  isNested: boolean;
}

type Direction = 'auto' | undefined;

export function LeafBlock({ raw, growing, isNested }: LeafBlockProps) {
  const dir = isNested ? undefined : 'auto';
  if (raw.length > SHORT_LENGTH && !/^[<[#]/.test(raw)) {
    return <LongParagraph raw={raw} growing={growing} dir={dir} />;
  }
  const line = raw.trimEnd();
  if (isPlainParagraph(line)) {
    return renderLeaf({ type: 'paragraph', raw, text: line, tokens: [] }, dir);
  }
  const tokens = lexBlocks(growing ? settleInlineTail(raw) : raw);
  return createElement(Fragment, null, ...tokens.map((token) => renderLeaf(token, dir)));
}

const SHORT_LENGTH = 4000;

/** Returns true if the line can only be a paragraph, so `marked` can be skipped. */
function isPlainParagraph(line: string): boolean {
  return /^[\p{L}"'(]/u.test(line) && isPlainText(line);
}

function lexBlocks(raw: string): MarkedToken[] {
  return new Lexer().blockTokens(raw, []) as MarkedToken[];
}

function renderLeaf(token: MarkedToken, dir: Direction): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'hr':
      return <hr />;
    case 'heading':
      return <Heading depth={token.depth} text={token.text} dir={dir} />;
    case 'paragraph':
    case 'text':
      return (
        <p dir={dir}>
          <Inline text={token.text} />
        </p>
      );
    default:
      return (
        <p className={styles.literal} dir={dir}>
          {token.raw.trimEnd()}
        </p>
      );
  }
}

/** The panel has its own headings, so headings in an answer start at level 3. */
function Heading({ depth, text, dir }: { depth: number; text: string; dir: Direction }) {
  const Tag = (['h3', 'h4', 'h5', 'h6'] as const)[Math.min(depth, 4) - 1] ?? 'h6';
  return (
    <Tag data-depth={depth} dir={dir}>
      <Inline text={text} />
    </Tag>
  );
}

function LongParagraph({
  raw,
  growing,
  dir,
}: Omit<LeafBlockProps, 'isNested'> & { dir: Direction }) {
  const runs = splitParagraph(raw.trimEnd());
  return (
    <p dir={dir}>
      {runs.map((run, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: runs never reorder.
        <span key={index}>
          <Inline text={growing && index === runs.length - 1 ? settleInlineTail(run) : run} />
        </span>
      ))}
    </p>
  );
}
