import { useMemo, useState } from 'react';
import { parseJson } from '../../../../shared/parse-json.ts';
import { formatDuration, pluralize } from '../../../lib/format-quantity.ts';
import { textLines } from '../../../run/body/text-lines.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { JsonView } from '../../../ui/json-view/json-view.tsx';
import styles from './events-tab.module.css';
import { type FrameRow, getDelta, getPiece } from './frame-rows.ts';

const previewLength = 240;
const shownLines = 400;

interface FrameItemProps {
  row: FrameRow;
  open: boolean;
  /** Of its line, in a roving list. */
  tabIndex: number;
  onToggle: () => void;
}

export function FrameItem({ row, open, tabIndex, onToggle }: FrameItemProps) {
  const piece = getPiece(row.data);
  return (
    <div className={styles.item} data-row={row.seq}>
      <button
        type="button"
        tabIndex={tabIndex}
        className={styles.frame}
        aria-expanded={open}
        onClick={onToggle}
      >
        <span className={styles.seq}>{row.number}</span>
        <span>{formatDuration(row.atMs)}</span>
        <span className={styles.gap}>{row.gapMs === null ? '' : formatGap(row.gapMs)}</span>
        <span className={styles.data}>
          {row.label !== '' && <span className={styles.label}>{row.label}</span>}
          {piece !== null && <span className={styles.piece}>{piece}</span>}
          {piece === null && <span className={styles.raw}>{row.data.slice(0, previewLength)}</span>}
        </span>
      </button>
      {open && <FrameBody data={row.data} />}
    </div>
  );
}

function formatGap(gapMs: number): string {
  return gapMs < 1 ? formatDuration(gapMs) : `+${formatDuration(gapMs)}`;
}

/** What the frame brings first; all around it on demand. */
function FrameBody({ data }: { data: string }) {
  const frame = useMemo(() => parseJson(data), [data]);
  const delta = useMemo(() => getDelta(frame), [frame]);
  const [showsAll, setShowsAll] = useState(false);
  if (frame === undefined) return <PlainFrame data={data} />;
  return (
    <div className={styles.body}>
      {delta !== null && !showsAll ? (
        <JsonView label="Delta" value={delta} />
      ) : (
        <JsonView label="Event" value={frame} source={data} />
      )}
      {delta !== null && (
        <Button size="small" variant="quiet" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show delta only' : 'Show full event'}
        </Button>
      )}
    </div>
  );
}

/** Some gateways send text, and all of them `[DONE]`. */
function PlainFrame({ data }: { data: string }) {
  const lines = textLines(data);
  return (
    <div className={styles.body}>
      <CopyButton label="Copy event" content={() => data} />
      {lines.slice(0, shownLines).map(({ text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one frame never move.
        <code key={index} className={styles.bodyLine}>
          {text}
        </code>
      ))}
      {lines.length > shownLines && (
        <p className={styles.count}>
          {pluralize(lines.length - shownLines, 'more line')}. Copy the event to see all.
        </p>
      )}
    </div>
  );
}
