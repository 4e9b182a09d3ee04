import { useMemo, useState } from 'react';
import { parseJson } from '../../../shared/json.ts';
import { formatBytes } from '../../lib/format-quantity.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ExpandButton } from '../../ui/json-view/json-view.tsx';
import { type ShownJson, useJsonRows } from '../../ui/json-view/use-json-rows.ts';
import styles from './body-head.module.css';

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
      {view.json !== null && <ExpandButton json={view.json} />}
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

/** Longer bodies are shown raw first: reading them takes a while. */
const prettyAtOnce = 1_000_000;

interface BodyView {
  /** The body as a tree; null where it is shown raw. */
  json: ShownJson | null;
  /** Null where it is not JSON. */
  mode: 'pretty' | 'raw' | null;
  showPretty: () => void;
  showRaw: () => void;
}

/** How a body is shown: as a tree where it is JSON and the user did not choose raw. */
export function useBodyView(text: string): BodyView {
  const [chosen, setChosen] = useState<'pretty' | 'raw' | null>(null);
  const wantsPretty = chosen === null ? text.length <= prettyAtOnce : chosen === 'pretty';
  const start = text.trimStart()[0];
  const canBePretty = start === '{' || start === '[';
  const value = useMemo(
    () => (wantsPretty && canBePretty ? parseJson(text) : undefined),
    [wantsPretty, canBePretty, text],
  );
  const json = useJsonRows(value ?? null);
  const isBroken = wantsPretty && canBePretty && value === undefined;
  return {
    json: value === undefined ? null : json,
    mode: !canBePretty || isBroken ? null : wantsPretty ? 'pretty' : 'raw',
    showPretty: () => setChosen('pretty'),
    showRaw: () => setChosen('raw'),
  };
}
