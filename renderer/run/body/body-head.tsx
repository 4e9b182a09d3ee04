import { useMemo, useState } from 'react';
import { parseJson } from '../../../shared/parse-json.ts';
import { formatBytes } from '../../lib/format-quantity.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { type ShownJson, useJsonRows } from '../../ui/json-view/json-tree.tsx';
import { ExpandButton, RawButton } from '../../ui/json-view/json-view.tsx';
import styles from './body-head.module.css';

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

/** Show a longer body raw first, because parsing takes a while. */
const maxTree = 1_000_000;

interface BodyView {
  json: ShownJson | null;
  raw: boolean | null;
  showRaw: (raw: boolean) => void;
}

/** Shows JSON as a tree unless the user chose raw. */
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
