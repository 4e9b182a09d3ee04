import { useMemo, useState } from 'react';
import { parseJson } from '../../../shared/parse-json.ts';
import { formatBytes } from '../../lib/format-quantity.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ExpandButton, RawButton } from '../../ui/json-view/json-view.tsx';
import { type ShownJson, useJsonRows } from '../../ui/json-view/use-json-rows.ts';
import styles from './body-head.module.css';

interface BodyHeadProps {
  title: string;
  text: string;
  view: BodyView;
  note?: string | undefined;
}

/** The line above a body: its size, tree or raw, copy. */
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

/** Longer bodies are shown raw first: reading them takes a while. */
const maxTree = 1_000_000;

interface BodyView {
  /** The body as a tree; null if it is shown raw. */
  json: ShownJson | null;
  /** Null if it is not JSON. */
  raw: boolean | null;
  showRaw: (raw: boolean) => void;
}

/** How a body is shown: as a tree where it is JSON and the user did not choose raw. */
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
