/** Renders inline Markdown as React elements; HTML appears as text. */
import type { MarkedToken, Token } from 'marked';
import { createContext, createElement, Fragment, memo, type ReactNode, useContext } from 'react';
import { sanitizeLink } from '../../../shared/outside-link.ts';
import { type Definitions, noDefinitions } from './document.ts';
import { decodeEntities } from './entities.ts';
import { FootnoteReference } from './footnotes.tsx';
import { lexInline } from './inline-lexer.ts';
import styles from './markdown.module.css';
import { Formula } from './math.tsx';
import { readMath } from './math-rules.ts';
import { RemoteImage } from './remote-image.tsx';

export const DefinitionsContext = createContext<Definitions>(noDefinitions);

interface InlineProps {
  text: string;
  /** True in table cells, where `<br>` is the only way to start a line. */
  allowsBreaks?: boolean;
}

/** Matches emphasis marks, references, mathematics, entities, line breaks and bare URLs. */
const MARKS = /[\\`*_~[\]【<&!@\n]|\$[^$]*\$|:\/\/|www\./i;

/** Returns true for plain text, which is most of a growing paragraph and can skip the lexer. */
export function isPlainText(text: string): boolean {
  return !MARKS.test(text);
}

export const Inline = memo(function Inline({ text, allowsBreaks = false }: InlineProps) {
  const content = renderContent(text, allowsBreaks);
  return hasLongWord(text) ? <span className={styles.longWord}>{content}</span> : content;
});

/** Chromium breaks a long word into lines in quadratic time if its letters are kerned. */
function hasLongWord(text: string): boolean {
  return /(?:^|\s)\S{1000}/.test(text);
}

function renderContent(text: string, allowsBreaks: boolean): ReactNode {
  if (isPlainText(text)) return text;
  const content = text.includes('[') ? (
    <InlineWithReferences text={text} />
  ) : (
    renderInline(lexInline(text, noDefinitions))
  );
  const hasBreak = allowsBreaks && BREAK.test(text);
  return hasBreak ? <BreaksContext value={true}>{content}</BreaksContext> : content;
}

const BREAK = /<br\s*\/?>/i;
const BreaksContext = createContext(false);

function InlineWithReferences({ text }: InlineProps) {
  return renderInline(lexInline(text, useContext(DefinitionsContext)));
}

/** React tells the tokens apart by position, because they are only ever added. */
function renderInline(tokens: readonly Token[]): ReactNode {
  return createElement(Fragment, null, ...tokens.map(renderToken));
}

function renderToken(generic: Token): ReactNode {
  if (generic.type === 'footnote') return <FootnoteReference label={generic.raw.slice(2, -1)} />;
  if (generic.type === 'math') return renderMath(generic.raw);
  const token = generic as MarkedToken;
  switch (token.type) {
    case 'text':
      return token.tokens ? renderInline(token.tokens) : renderText(getLiteral(token));
    case 'escape':
      return token.text;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'strong':
      return <strong>{renderInline(token.tokens)}</strong>;
    case 'em':
      return <em>{renderInline(token.tokens)}</em>;
    case 'del':
      return <del>{renderInline(token.tokens)}</del>;
    case 'br':
      return <br />;
    case 'link':
      return <Link href={token.href}>{renderInline(token.tokens)}</Link>;
    case 'image':
      return <RemoteImage href={token.href} alternativeText={decodeEntities(token.text)} />;
    case 'html':
      return BREAK.exec(token.raw)?.[0] === token.raw ? <Break raw={token.raw} /> : token.raw;
    default:
      return token.raw;
  }
}

function renderMath(raw: string): ReactNode {
  const span = readMath(raw, '');
  return span === null ? raw : <Formula {...span} />;
}

function Break({ raw }: { raw: string }) {
  return useContext(BreaksContext) ? <br /> : raw;
}

/** Autolink text is literal; other text may contain character references. */
function getLiteral(token: { text: string; escaped?: boolean }): string {
  return token.escaped === undefined ? token.text : decodeEntities(token.text);
}

export interface TextMark {
  text: string;
  label: string;
  onOpen: () => void;
}

/** Splits text at marks that become buttons, such as source references; null matches no marks. */
export const TextMarksContext = createContext<
  ((text: string) => readonly (string | TextMark)[]) | null
>(null);

function renderText(text: string): ReactNode {
  return /[[【]/.test(text) ? <TextWithMarks text={text} /> : text;
}

function TextWithMarks({ text }: InlineProps) {
  const split = useContext(TextMarksContext);
  if (split === null) return text;
  return split(text).map((piece, index) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      <button
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces never reorder.
        key={index}
        type="button"
        className={styles.mark}
        aria-label={piece.label}
        onClick={piece.onOpen}
      >
        {piece.text}
      </button>
    ),
  );
}

function Link({ href, children }: { href: string; children: ReactNode }) {
  const url = sanitizeLink(decodeEntities(href));
  if (url === null) return <span>{children}</span>;
  return (
    <OutsideLink url={url}>
      <TextMarksContext value={null}>{children}</TextMarksContext>
    </OutsideLink>
  );
}

/** Opens a safe URL in the browser; the desktop app opens links with a target outside too. */
export function OutsideLink({ url, children }: { url: string; children: ReactNode }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
