import { useState } from 'react';
import type { JsonValue } from '../../../shared/json.ts';
import { Button } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';
import { JsonTree, type ShownJson, useJsonRows } from './json-tree.tsx';
import styles from './json-view.module.css';

interface JsonViewProps {
  label: string;
  /** Passing a new object resets which rows are expanded. */
  value: JsonValue;
  /** The original text, used by Raw and Copy; without it, Copy uses indented JSON. */
  source?: string | undefined;
}

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

export function RawButton({ raw, onChange }: RawButtonProps) {
  return (
    <Button size="small" variant="quiet" aria-pressed={raw} onClick={() => onChange(!raw)}>
      Raw
    </Button>
  );
}

export function ExpandButton({ json: { expandAll, collapseAll } }: { json: ShownJson }) {
  const change = expandAll ?? collapseAll;
  if (change === null) return null;
  return (
    <Button size="small" variant="quiet" onClick={change}>
      {expandAll === null ? 'Collapse all' : 'Expand all'}
    </Button>
  );
}
