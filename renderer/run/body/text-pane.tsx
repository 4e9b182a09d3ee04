import { type ReactNode, useMemo, useRef } from 'react';
import { Virtualizer } from 'virtua';
import { JsonTree } from '../../ui/json-view/json-tree.tsx';
import type { ShownJson } from '../../ui/json-view/use-json-rows.ts';
import { textLines } from './text-lines.ts';
import styles from './text-pane.module.css';

interface TextPaneProps {
  label: string;
  /** Beside the text, or above it where there is little room: addresses and headers. */
  aside?: ReactNode;
  /** Above the text; it stays while the text scrolls. Without a text it takes the room and scrolls. */
  head: ReactNode;
  text: string;
  /** The text as a tree, in place of its lines. */
  json?: ShownJson | null;
}

/** A text of any length: only the lines in sight are in the page. */
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
