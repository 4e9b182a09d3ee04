import { useMemo, useState } from 'react';
import { formatBytes } from '../../lib/format-quantity.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './body-head.module.css';
import { prettyJson, type TextLine, textLines } from './text-lines.ts';

interface BodyHeadProps {
  title: string;
  text: string;
  view: BodyView;
  note?: string | undefined;
}

/** The line above a body: its size, pretty or raw, copy. */
export function BodyHead({ title, text, view, note }: BodyHeadProps) {
  return (
    <div className={styles.row}>
      <h3 className={styles.title}>{title}</h3>
      <span className={styles.note}>
        {formatBytes(new Blob([text]).size)}
        {note !== undefined && ` · ${note}`}
      </span>
      {view.mode !== null && (
        <span className={styles.modes}>
          <Button
            size="small"
            variant="quiet"
            aria-pressed={view.mode === 'pretty'}
            onClick={view.showPretty}
          >
            Pretty
          </Button>
          <Button
            size="small"
            variant="quiet"
            aria-pressed={view.mode === 'raw'}
            onClick={view.showRaw}
          >
            Raw
          </Button>
        </span>
      )}
      <CopyButton label={`Copy ${title.toLowerCase()}`} content={() => text} />
    </div>
  );
}

/** Longer bodies are shown raw first: indenting them takes a while. */
const prettyAtOnce = 1_000_000;

interface BodyView {
  lines: TextLine[];
  /** Null where there is nothing to indent. */
  mode: 'pretty' | 'raw' | null;
  showPretty: () => void;
  showRaw: () => void;
}

/** The body's lines, indented where it is JSON and the user did not ask for it raw. */
export function useBodyView(text: string): BodyView {
  const [chosen, setChosen] = useState<'pretty' | 'raw' | null>(null);
  const wantsPretty = chosen === null ? text.length <= prettyAtOnce : chosen === 'pretty';
  const start = text.trimStart()[0];
  const canBePretty = start === '{' || start === '[';
  const pretty = useMemo(
    () => (wantsPretty && canBePretty ? prettyJson(text) : null),
    [wantsPretty, canBePretty, text],
  );
  const lines = useMemo(() => (text === '' ? [] : textLines(pretty ?? text)), [pretty, text]);
  const broken = wantsPretty && canBePretty && pretty === null;
  return {
    lines,
    mode: !canBePretty || broken ? null : wantsPretty ? 'pretty' : 'raw',
    showPretty: () => setChosen('pretty'),
    showRaw: () => setChosen('raw'),
  };
}
