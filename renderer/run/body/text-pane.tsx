import { type ReactNode, useMemo, useRef } from 'react';
import { Virtualizer } from 'virtua';
import { JsonTree, type ShownJson } from '../../ui/json-view/json-tree.tsx';
import styles from './text-pane.module.css';

interface TextPaneProps {
  label: string;
  /** Moves above the text in a narrow pane. */
  aside?: ReactNode;
  /** Stays visible while the text scrolls, and fills the pane if there is no text. */
  head: ReactNode;
  text: string;
  /** Replaces the text lines with a JSON tree. */
  json?: ShownJson | null;
}

export function TextPane({ label, aside, head, text, json = null }: TextPaneProps) {
  return (
    <div className={styles.container}>
      <div className={styles.split}>
        {aside !== undefined && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: without a stop the keyboard cannot scroll it.
          <section className={styles.aside} aria-label={`${label} details`} tabIndex={0}>
            {aside}
          </section>
        )}
        <section className={styles.main} aria-label={label}>
          <div className={styles.head}>{head}</div>
          {json !== null ? (
            <JsonTree label={label} json={json} fills />
          ) : (
            text !== '' && <Lines label={label} text={text} />
          )}
        </section>
      </div>
    </div>
  );
}

function Lines({ label, text }: { label: string; text: string }) {
  const scroller = useRef<HTMLElement>(null);
  const lines = useMemo(() => textLines(text), [text]);
  const isNumbered = lines.at(-1)?.number !== 1;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a stop the keyboard cannot scroll it.
    <section ref={scroller} className={styles.scroller} aria-label={`${label} text`} tabIndex={0}>
      <Virtualizer data={lines} bufferSize={1200} scrollRef={scroller}>
        {(line, index) => (
          <div key={index} className={styles.line}>
            {isNumbered && (
              <span className={styles.number} aria-hidden="true">
                {line.number}
              </span>
            )}
            <code className={styles.text}>{line.text}</code>
          </div>
        )}
      </Virtualizer>
    </section>
  );
}
export interface TextLine {
  /** Null for a continuation of a long line. */
  number: number | null;
  text: string;
}

/** Split long lines, such as base64, to keep virtual rows small. */
const maxRowLength = 2000;

export function textLines(text: string): TextLine[] {
  const lines: TextLine[] = [];
  let number = 0;
  for (const line of text.split('\n')) {
    number += 1;
    if (line.length <= maxRowLength) {
      lines.push({ number, text: line });
      continue;
    }
    for (let at = 0; at < line.length; at += maxRowLength) {
      lines.push({ number: at === 0 ? number : null, text: line.slice(at, at + maxRowLength) });
    }
  }
  return lines;
}
