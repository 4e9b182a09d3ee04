import { useMemo, useState } from 'react';
import type { JsonValue } from '../../../shared/json.ts';
import { Button } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';
import { getRowKey, type RowProblem } from './json-rows.ts';
import { JsonTree, type ShownJson, useJsonRows } from './json-tree.tsx';
import styles from './json-view.module.css';

interface JsonViewProps {
  label: string;
  /** Passing a new object resets which rows are expanded. */
  value: JsonValue;
  /** The original text, used by Raw and Copy; without it, Copy uses indented JSON. */
  source?: string | undefined;
  /** Offers the tree and the source side by side. */
  splits?: boolean;
  /** Problems to mark on the rows they concern. */
  problems?: readonly RowProblem[] | undefined;
  /** The JSON Pointer to show next; a new object shows it again. */
  reached?: { path: string } | null;
}

export function JsonView({
  label,
  value,
  source,
  splits = false,
  problems,
  reached = null,
}: JsonViewProps) {
  const json = useJsonRows(value, undefined, problems);
  const [shows, setShows] = useState<'tree' | 'source' | 'both'>('tree');
  const target = useMemo(
    () => reached && { key: getRowKey(value, reached.path) },
    [value, reached],
  );
  const [revealed, setRevealed] = useState(target);
  if (target !== revealed) {
    setRevealed(target);
    if (target !== null) json.reveal(target.key);
    if (shows === 'source') setShows('tree');
  }
  const showsSource = shows !== 'tree' && source !== undefined;
  const tree = <JsonTree label={label} json={json} target={target} />;
  const text = <pre className={styles.source}>{source}</pre>;
  return (
    <div className={styles.view}>
      <div className={styles.actions}>
        {splits && source !== undefined && (
          <Button
            size="small"
            variant="quiet"
            aria-pressed={shows === 'both'}
            onClick={() => setShows(shows === 'both' ? 'tree' : 'both')}
          >
            Side by side
          </Button>
        )}
        {source !== undefined && (
          <RawButton
            raw={shows === 'source'}
            onChange={(raw) => setShows(raw ? 'source' : 'tree')}
          />
        )}
        {shows !== 'source' && <ExpandButton json={json} />}
        <CopyButton
          label={`Copy ${label.toLowerCase()}`}
          content={() => source ?? JSON.stringify(value, null, 2)}
        />
      </div>
      {!showsSource && tree}
      {showsSource && shows === 'source' && text}
      {showsSource && shows === 'both' && (
        <div className={styles.split}>
          <div className={styles.sides}>
            {tree}
            {text}
          </div>
        </div>
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
