import { type CSSProperties, memo, useMemo } from 'react';
import { formatCount } from '../../../lib/format-quantity.ts';
import { classNames } from '../../../ui/class-names.ts';
import type { DiffRun } from '../metrics/word-diff.ts';
import { useGrowingCount } from '../use-growing-count.ts';
import type { WordDiff } from '../work/comparison-worker.ts';
import { DiffFrame, type SharedDiffProps } from './diff-frame.tsx';
import { type DiffPiece, type DiffRow, formatWordDiff, layOutDiff, shorten } from './diff-rows.ts';
import styles from './text-diff.module.css';

interface WordDifferencesProps extends SharedDiffProps {
  diff: WordDiff;
  isSameText: boolean;
}

export function WordDifferences({ diff, isSameText, ...shared }: WordDifferencesProps) {
  const { blocks, blockOfChange } = useMemo(() => layOutDiff(diff.runs), [diff.runs]);
  const drawn = useGrowingCount(blocks.length);
  return (
    <DiffFrame
      {...shared}
      summary={getSummary(diff, blockOfChange.length, isSameText)}
      count={blockOfChange.length}
      describe={(index) => describeChange(diff.runs, index)}
      copyText={() => formatWordDiff(diff.runs)}
      onReach={(index) => drawn.reach(blockOfChange[index] ?? 0)}
      drawnCount={drawn.count}
    >
      {(current) =>
        blocks.slice(0, drawn.count).map((rows, at) => (
          <Block
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks never move
            key={at}
            rows={rows}
            layout={shared.layout}
            current={blockOfChange[current] === at ? current : -1}
          />
        ))
      }
    </DiffFrame>
  );
}

function getSummary({ addedWords, removedWords }: WordDiff, changes: number, isSameText: boolean) {
  if (isSameText) return 'The texts are identical.';
  if (changes === 0) return 'Only whitespace differs.';
  return `+${formatCount(addedWords)} −${formatCount(removedWords)} words`;
}

/** Returns the text that screen readers announce. */
function describeChange(runs: readonly DiffRun[], index: number): string {
  let change = -1;
  const words: string[] = [];
  for (const [at, { kind, text }] of runs.entries()) {
    if (kind === 'same') continue;
    const before = runs[at - 1];
    if (kind === 'removed' || before?.kind !== 'removed') change += 1;
    if (change === index) words.push(`${kind} “${shorten(text.trim())}”`);
    if (change > index) break;
  }
  return words.join(', ');
}

interface BlockProps {
  rows: readonly DiffRow[];
  layout: SharedDiffProps['layout'];
  current: number;
}

/** Line height in pixels. */
const LINE_HEIGHT = 24;

const Block = memo(function Block({ rows, layout, current }: BlockProps) {
  const roughly: CSSProperties = {
    containIntrinsicBlockSize: `auto ${rows.length * LINE_HEIGHT}px`,
  };
  return (
    <div className={styles.block} style={roughly}>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows never move
        <Row key={at} row={row} layout={layout} current={current} />
      ))}
    </div>
  );
});

function Row({ row, layout, current }: { row: DiffRow } & Omit<BlockProps, 'rows'>) {
  if (layout === 'inline') {
    return (
      <p className={styles.line}>
        <Pieces row={row} current={current} />
      </p>
    );
  }
  const isChanged = row.some(({ kind }) => kind !== 'same');
  return (
    <div className={classNames(styles.pair, isChanged && styles.changedPair)}>
      <p className={styles.line}>
        <Pieces row={row} without="added" current={current} />
      </p>
      <p className={styles.line}>
        <Pieces row={row} without="removed" current={current} />
      </p>
    </div>
  );
}

interface PiecesProps {
  row: DiffRow;
  without?: DiffPiece['kind'];
  current: number;
}

function Pieces({ row, without, current }: PiecesProps) {
  return row.map((piece, at) => {
    if (piece.kind === without) return null;
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces never move
    return <Piece key={at} piece={piece} isCurrent={piece.change === current && current >= 0} />;
  });
}

function Piece({ piece, isCurrent }: { piece: DiffPiece; isCurrent: boolean }) {
  const { kind, text, change } = piece;
  if (kind === 'same') return text;
  const Mark = kind === 'removed' ? 'del' : 'ins';
  const marked = text.trimEnd();
  return (
    <>
      <Mark data-change={change} className={classNames(styles[kind], isCurrent && styles.current)}>
        {marked === '' ? text : marked}
      </Mark>
      {marked !== '' && text.slice(marked.length)}
    </>
  );
}
