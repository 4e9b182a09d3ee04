import { useMemo, useRef } from 'react';
import { VList, type VListHandle } from 'virtua';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useRovingList } from '../../ui/roving-list.ts';
import styles from './embeddings.module.css';
import type { VectorSet } from './work/use-vectors.ts';

interface VectorListProps {
  names: readonly string[];
  vectors: VectorSet;
  onNeighbors: (row: number) => void;
}

/** Renders a list with one Tab stop; each row shows a vector's start and copies all of it. */
export function VectorList({ names, vectors, onNeighbors }: VectorListProps) {
  const list = useRef<VListHandle>(null);
  const rows = useMemo(() => Array.from({ length: vectors.rows }, (_, row) => row), [vectors]);
  const roving = useRovingList({
    keys: useMemo(() => rows.map(String), [rows]),
    currentKey: null,
    getItemText: (row) => names[row] ?? '',
    scrollTo: (row) => list.current?.scrollToIndex(row, { align: 'nearest' }),
  });
  return (
    <VList
      ref={list}
      data={rows}
      bufferSize={600}
      className={styles.list}
      role="list"
      aria-label="Vectors"
      keepMounted={rows.length > 0 ? [roving.stop] : []}
      {...roving.listProps}
    >
      {(row) => (
        // biome-ignore lint/a11y/useSemanticElements: the virtual list wraps each item in its own element.
        <div
          key={row}
          role="listitem"
          data-row={row}
          tabIndex={roving.getTabIndex(row)}
          className={styles.item}
        >
          <span className="caption tabular">{row + 1}</span>
          <div className={styles.words}>
            <p className={styles.text} dir="auto">
              {names[row]}
            </p>
            <p className={styles.vector}>{describeVector(vectors, row)}</p>
          </div>
          <Button
            size="small"
            variant="quiet"
            disabled={Number.isNaN(vectors.lengths[row])}
            aria-label={`Neighbors of input ${row + 1}`}
            onClick={() => onNeighbors(row)}
          >
            Neighbors
          </Button>
          <CopyButton label={`Copy vector ${row + 1}`} content={() => copyVector(vectors, row)} />
        </div>
      )}
    </VList>
  );
}

function describeVector({ dimensions, heads, lengths }: VectorSet, row: number): string {
  const length = lengths[row] ?? Number.NaN;
  if (Number.isNaN(length)) return 'No vector';
  const count = heads.length / lengths.length;
  const head = Array.from(heads.subarray(row * count, (row + 1) * count).slice(0, dimensions));
  const more = dimensions > count ? ', …' : '';
  const values = head.map((value) => value.toFixed(4)).join(', ');
  return `length ${length.toFixed(3)} · [${values}${more}]`;
}

/** Pass a promise, so that the click's clipboard permission lasts until the worker responds. */
function copyVector(vectors: VectorSet, row: number): ClipboardItem {
  const text = vectors.compute('row', { row }).then((values) => JSON.stringify(values));
  return new ClipboardItem({
    'text/plain': text.then((words) => new Blob([words], { type: 'text/plain' })),
  });
}
