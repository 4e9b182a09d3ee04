import type { ReactNode } from 'react';
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
  /** What Copy copies; else the value, indented. */
  source?: string | undefined;
  /** Further controls before Expand and Copy. */
  actions?: ReactNode;
}

/** JSON in the text of a page: folded where long, with Expand and Copy. */
export function JsonView({ label, value, source, actions }: JsonViewProps) {
  const json = useJsonRows(value);
  return (
    <div className={styles.view}>
      <div className={styles.actions}>
        {actions}
        <ExpandButton json={json} />
        <CopyButton
          label={`Copy ${label.toLowerCase()}`}
          content={() => source ?? JSON.stringify(value, null, 2)}
        />
      </div>
      <JsonTree label={label} json={json} />
    </div>
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
