import { type ReactNode, useRef } from 'react';
import { Virtualizer } from 'virtua';
import styles from './line-scroller.module.css';
import { jsonTokens, type TextLine } from './text-lines.ts';

interface LineScrollerProps {
  label: string;
  /** Beside the text, or above it where there is little room: addresses and headers. */
  aside?: ReactNode;
  /** Above the lines, scrolling away with them. */
  head: ReactNode;
  lines: readonly TextLine[];
  /** Colours names, strings and numbers. */
  json?: boolean;
}

/** A text of any length: only the lines in sight are in the page. */
export function LineScroller({ label, aside, head, lines, json = false }: LineScrollerProps) {
  const scroller = useRef<HTMLElement>(null);
  return (
    <div className={styles.container}>
      <div className={styles.split}>
        {aside !== undefined && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: without a stop the keyboard cannot scroll it.
          <section className={styles.aside} aria-label={`${label} head`} tabIndex={0}>
            {aside}
          </section>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: as above. */}
        <section ref={scroller} className={styles.scroller} aria-label={label} tabIndex={0}>
          <Virtualizer data={['head', ...lines]} bufferSize={1200} scrollRef={scroller}>
            {(row, index) =>
              typeof row === 'string' ? (
                <div key="head" className={styles.head}>
                  {head}
                </div>
              ) : (
                <div key={index} className={styles.line}>
                  <span className={styles.number} aria-hidden="true">
                    {row.number}
                  </span>
                  <code className={styles.text}>
                    {json ? <JsonLine text={row.text} /> : row.text}
                  </code>
                </div>
              )
            }
          </Virtualizer>
        </section>
      </div>
    </div>
  );
}

const longestColoured = 600;

export function JsonLine({ text }: { text: string }) {
  if (text.length > longestColoured) return text;
  return jsonTokens(text).map(({ kind, text: part }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have no other identity.
    <span key={index} className={styles[kind]}>
      {part}
    </span>
  ));
}
