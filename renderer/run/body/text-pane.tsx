import { type ReactNode, useMemo, useRef, useState } from 'react';
import { Virtualizer } from 'virtua';
import { parseJson } from '../../../shared/parse-json.ts';
import { formatBytes } from '../../lib/format-quantity.ts';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { JsonTree, type ShownJson, useJsonRows } from '../../ui/json-view/json-tree.tsx';
import { ExpandButton, RawButton } from '../../ui/json-view/json-view.tsx';
import { ColoredLine } from '../../ui/markdown/code-block.tsx';
import type { CodeLine } from '../../ui/markdown/highlight.ts';
import styles from './text-pane.module.css';

interface TextPaneProps {
  label: string;
  /** Controls that move above the text in a narrow pane. */
  aside?: ReactNode;
  /** Content that stays visible while the text scrolls, and fills the pane if there's no text. */
  head: ReactNode;
  text: string;
  /** Content that replaces the text, such as a JSON tree. */
  json?: ShownJson | null;
  /** The highlighted lines of the text; null leaves it plain. */
  colors?: readonly CodeLine[] | null;
}

export function TextPane(props: TextPaneProps) {
  const { label, aside, head, text, json = null, colors = null } = props;
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
            text !== '' && <Lines label={label} text={text} colors={colors} />
          )}
        </section>
      </div>
    </div>
  );
}

function Lines({
  label,
  text,
  colors,
}: Required<Pick<TextPaneProps, 'label' | 'text' | 'colors'>>) {
  const scroller = useRef<HTMLElement>(null);
  const lines = useMemo(() => splitTextLines(text), [text]);
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
            <code className={classNames(styles.text, 'code-colors')}>
              <LineText line={line} colors={colors} />
            </code>
          </div>
        )}
      </Virtualizer>
    </section>
  );
}

interface LineTextProps {
  line: TextLine;
  colors: readonly CodeLine[] | null;
}

/** A part of a split line stays plain, because its highlighted line is longer. */
function LineText({ line: { number, text }, colors }: LineTextProps) {
  const colored = number === null ? undefined : colors?.[number - 1];
  const isWhole = colored?.map((piece) => piece.text).join('') === text;
  return colored !== undefined && isWhole ? <ColoredLine line={colored} /> : text;
}

export interface TextLine {
  /** Null for a continuation of a long line. */
  number: number | null;
  text: string;
}

/** Splits long lines, such as base64, to keep virtual rows small. */
const maxRowLength = 2000;

export function splitTextLines(text: string): TextLine[] {
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

interface BodyHeadProps {
  title: string;
  text: string;
  view: BodyView;
  note?: string | undefined;
}

export function BodyHead({ title, text, view, note }: BodyHeadProps) {
  return (
    <div className={styles.row}>
      <h3 className={styles.title}>{title}</h3>
      <span className={styles.note}>
        {formatBytes(new Blob([text]).size)}
        {note !== undefined && ` · ${note}`}
      </span>
      {view.json !== null && <ExpandButton json={view.json} />}
      {view.raw !== null && <RawButton raw={view.raw} onChange={view.showRaw} />}
      <CopyButton label={`Copy ${title.toLowerCase()}`} content={() => text} />
    </div>
  );
}

/** Longer bodies start as raw text, because parsing takes a while. */
const maxTree = 1_000_000;

interface BodyView {
  json: ShownJson | null;
  raw: boolean | null;
  showRaw: (raw: boolean) => void;
}

/** Shows JSON as a tree unless the user chose raw or the body is longer than `maxTree`. */
export function useBodyView(text: string): BodyView {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const raw = chosen ?? text.length > maxTree;
  const start = text.trimStart()[0];
  const canBeTree = start === '{' || start === '[';
  const value = useMemo(
    () => (canBeTree && !raw ? parseJson(text) : undefined),
    [canBeTree, raw, text],
  );
  const json = useJsonRows(value ?? null);
  const isBroken = canBeTree && !raw && value === undefined;
  return {
    json: value === undefined ? null : json,
    raw: !canBeTree || isBroken ? null : raw,
    showRaw: setChosen,
  };
}
