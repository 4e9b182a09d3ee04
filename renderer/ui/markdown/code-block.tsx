/** Renders code in memoized groups of lines and highlights the block once it's complete. */
import { Fragment, memo, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { CopyButton } from '../copy-button.tsx';
import {
  type CodeBlock as CodeBlockData,
  GROUP,
  type Grouped,
  joinCode,
  listGroups,
} from './block.ts';
import type { CodeLine } from './highlight.ts';
import styles from './markdown.module.css';
import { useHighlight } from './use-highlight.ts';

interface CodeBlockProps {
  block: CodeBlockData;
  complete: boolean;
  /** An extra button next to “Copy”. */
  action?: ReactNode;
  /** Replaces the code. */
  drawing?: ReactNode;
  /** Shown below the code. */
  note?: ReactNode;
}

export function CodeBlock({ block, complete, action, drawing, note }: CodeBlockProps) {
  const language = /^[^\s{,]*/.exec(block.info)?.[0] ?? '';
  const code = complete && language !== '' ? joinCode(block) : null;
  const highlighted = useHighlight(code, language);
  const groups = listGroups(block.lines);
  let lineNumber = 0;
  return (
    <div className={classNames(styles.codeBlock, 'code-colors')} dir="ltr">
      <div className={styles.codeHeader}>
        <span>{language === '' ? 'text' : language}</span>
        <span className={styles.codeActions}>
          {action}
          <CopyButton label="Copy code" content={() => joinCode(block)} words="Copy" />
        </span>
      </div>
      {drawing ?? (
        <CodeBox complete={complete}>
          {groups.map((lines, index) => {
            const start = lineNumber;
            lineNumber += lines.length;
            const pieces = highlighted?.slice(start, lineNumber) ?? null;
            const growing = !complete && index === groups.length - 1;
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added.
            return <CodeGroup key={index} lines={lines} highlighted={pieces} growing={growing} />;
          })}
        </CodeBox>
      )}
      {note}
    </div>
  );
}

/** Focusable if a line is too long, so that the keyboard can scroll it. */
function CodeBox({ complete, children }: { complete: boolean; children: ReactNode }) {
  const box = useRef<HTMLPreElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a last long line changes no size.
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
      else element.removeAttribute('tabindex');
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [complete]);
  return (
    <pre ref={box}>
      <code>{children}</code>
    </pre>
  );
}

interface CodeGroupProps {
  lines: readonly string[];
  highlighted: readonly CodeLine[] | null;
  /** True if the caret is at the end. */
  growing: boolean;
}

const CodeGroup = memo(function CodeGroup({ lines, highlighted, growing }: CodeGroupProps) {
  if (highlighted === null) {
    return (
      <span className={styles.codeGroup} data-caret={growing || undefined}>
        {splitText(`${lines.join('\n')}${growing ? '' : '\n'}`)}
      </span>
    );
  }
  return (
    <span className={styles.codeGroup}>
      {highlighted.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its number
        <Fragment key={index}>
          <ColoredLine line={line} />
          {'\n'}
        </Fragment>
      ))}
    </span>
  );
});

export function ColoredLine({ line }: { line: CodeLine }) {
  return line.map(({ text, scope }, at) =>
    scope === null ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a finished line never change.
      <span key={at} data-scope={scope}>
        {text}
      </span>
    ),
  );
}

const PIECE_LENGTH = 4000;

/** Splits long text, because the browser re-lays out a growing text node from scratch. */
export function splitText(text: string) {
  if (text.length <= PIECE_LENGTH) return text;
  const count = Math.ceil(text.length / PIECE_LENGTH);
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces never reorder.
    <span key={index}>{text.slice(index * PIECE_LENGTH, (index + 1) * PIECE_LENGTH)}</span>
  ));
}

interface CodeViewProps {
  code: string;
  /** The language after the opening fence, such as `json`; empty if there is none. */
  language: string;
  complete?: boolean;
}

export function CodeView({ code, language, complete = true }: CodeViewProps) {
  const block = useMemo(
    (): CodeBlockData => ({
      kind: 'code',
      fence: null,
      info: language,
      lines: groupLines(code),
      blankLines: '',
      closed: complete,
    }),
    [code, language, complete],
  );
  return <CodeBlock block={block} complete={complete} />;
}

function groupLines(code: string): Grouped<string> {
  const lines = code.split('\n');
  const fullLines = lines.length - (lines.length % GROUP.codeLines);
  const groups = Array.from({ length: fullLines / GROUP.codeLines }, (_, index) =>
    lines.slice(index * GROUP.codeLines, (index + 1) * GROUP.codeLines),
  );
  return { groups, rest: lines.slice(fullLines) };
}
