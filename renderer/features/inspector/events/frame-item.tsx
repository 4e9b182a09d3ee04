import { formatDuration } from '../../../lib/format-quantity.ts';
import { JsonLine } from '../../../run/body/line-scroller.tsx';
import { prettyJson, textLines } from '../../../run/body/text-lines.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import styles from './events-tab.module.css';
import { type FrameRow, pieceOf } from './frame-rows.ts';

const previewLength = 240;
const shownLines = 400;

interface FrameItemProps {
  row: FrameRow;
  open: boolean;
  onToggle: () => void;
}

export function FrameItem({ row, open, onToggle }: FrameItemProps) {
  const piece = pieceOf(row.data);
  return (
    <div className={styles.item}>
      <button type="button" className={styles.frame} aria-expanded={open} onClick={onToggle}>
        <span className={styles.seq}>{row.seq}</span>
        <span>{formatDuration(row.atMs)}</span>
        <span className={styles.gap}>{row.gapMs === null ? '' : gapWords(row.gapMs)}</span>
        <span className={styles.data}>
          {row.label !== '' && <span className={styles.label}>{row.label}</span>}
          {piece !== null && <span className={styles.piece}>{piece}</span>}
          <span className={styles.raw}>{row.data.slice(0, previewLength)}</span>
        </span>
      </button>
      {open && <FrameBody data={row.data} />}
    </div>
  );
}

function gapWords(gapMs: number): string {
  return gapMs < 1 ? formatDuration(gapMs) : `+${formatDuration(gapMs)}`;
}

function FrameBody({ data }: { data: string }) {
  const pretty = prettyJson(data);
  const lines = textLines(pretty ?? data);
  return (
    <div className={styles.body}>
      <CopyButton label="Copy event" content={() => data} />
      {lines.slice(0, shownLines).map(({ text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one frame never move.
        <code key={index} className={styles.bodyLine}>
          {pretty === null ? text : <JsonLine text={text} />}
        </code>
      ))}
      {lines.length > shownLines && (
        <p className={styles.count}>{lines.length - shownLines} more lines; copy it to see all.</p>
      )}
    </div>
  );
}
