import { useState } from 'react';
import type { JsonValue } from '../../../shared/json.ts';
import { Button } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';
import { JsonTree } from './json-tree.tsx';
import styles from './json-view.module.css';
import { type ShownJson, useJsonRows } from './use-json-rows.ts';

interface JsonViewProps {
  /** What it is: "Answer". */
  label: string;
  /** The same object as long as nothing changed: what the user opened is kept with it. */
  value: JsonValue;
  /** The text that the value was read from, shown by Raw and copied; else the value, indented, is copied. */
  source?: string | undefined;
}

/** JSON in the text of a page: folded where long, with Raw, Expand and Copy. */
export function JsonView({ label, value, source }: JsonViewProps) {
  const json = useJsonRows(value);
  const [raw, setRaw] = useState(false);
  const showsSource = raw && source !== undefined;
  return (
    <div className={styles.view}>
      <div className={styles.actions}>
        {source !== undefined && <RawButton raw={raw} onChange={setRaw} />}
        {!showsSource && <ExpandButton json={json} />}
        <CopyButton
          label={`Copy ${label.toLowerCase()}`}
          content={() => source ?? JSON.stringify(value, null, 2)}
        />
      </div>
      {showsSource ? (
        <pre className={styles.source}>{source}</pre>
      ) : (
        <JsonTree label={label} json={json} />
      )}
    </div>
  );
}

interface RawButtonProps {
  raw: boolean;
  onChange: (raw: boolean) => void;
}

/** Switches between JSON as a tree and its text. */
export function RawButton({ raw, onChange }: RawButtonProps) {
  return (
    <Button size="small" variant="quiet" aria-pressed={raw} onClick={() => onChange(!raw)}>
      Raw
    </Button>
  );
}

/** Opens all, then folds all; nothing where neither changes anything. */
export function ExpandButton({ json: { expandAll, collapseAll } }: { json: ShownJson }) {
  const change = expandAll ?? collapseAll;
  if (change === null) return null;
  return (
    <Button size="small" variant="quiet" onClick={change}>
      {expandAll === null ? 'Collapse all' : 'Expand all'}
    </Button>
  );
}
