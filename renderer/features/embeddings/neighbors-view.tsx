import { useMemo, useRef, useState } from 'react';
import { VList, type VListHandle } from 'virtua';
import type { RunInput } from '../../../shared/run.ts';
import { findFieldMessage } from '../../lib/field-errors.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { useRovingList } from '../../ui/roving-list.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './embeddings.module.css';
import { useEmbeddingsViews } from './embeddings-form.ts';
import { formatScore, getHeat, measures } from './measures.ts';
import { useQueryRun } from './use-query-run.ts';
import type { Neighbor } from './work/similarity.ts';
import { useTask } from './work/use-task.ts';
import type { VectorSet } from './work/use-vectors.ts';

interface NeighborsViewProps {
  connectionId: string;
  recorded: RunInput;
  vectors: VectorSet;
  names: readonly string[];
  /** The input whose neighbors are shown, from 0. */
  row: number;
  onRow: (row: number) => void;
}

/** Lists the inputs nearest to a chosen input, or to a query embedded separately. */
export function NeighborsView(props: NeighborsViewProps) {
  const { connectionId, recorded, vectors, names, row, onRow } = props;
  const measure = useEmbeddingsViews((views) => views.measure);
  const [text, setText] = useState('');
  const search = useQueryRun(connectionId, recorded);
  const [typedRow, setTypedRow] = useState<number | null>(row + 1);
  const shownRow = typedRow !== null && isRow(typedRow, vectors) ? row : null;
  const { output, error } = useTask(
    vectors,
    'neighbors',
    useMemo(() => {
      const query = search.runId === null ? row : search.url;
      return query === null ? null : { query, measure };
    }, [search.runId, search.url, row, measure]),
  );

  function showRow(next: number): void {
    search.clear();
    setTypedRow(next + 1);
    onRow(next);
  }

  const isWaiting =
    search.isRunning || (output === null && error === null && search.error === null);
  return (
    <>
      <div className={classNames(styles.bar, styles.fieldBar)}>
        <NumberField
          label="Input"
          className={styles.rowField}
          value={typedRow}
          min={1}
          max={vectors.rows}
          error={shownRow === null ? `1 to ${vectors.rows}` : null}
          onValueChange={(value) => {
            setTypedRow(value);
            if (value === null || !isRow(value, vectors)) return;
            search.clear();
            onRow(value - 1);
          }}
        />
        <form
          className={styles.search}
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== '') search.start(text);
          }}
        >
          <TextField
            label="Or a query"
            value={text}
            onValueChange={setText}
            error={findFieldMessage(search.fieldErrors, 'input')}
            placeholder="Sends another request"
          />
          <Button type="submit" disabled={text.trim() === '' || search.isRunning}>
            Search
          </Button>
        </form>
        <Segmented
          label="Measure"
          value={measure}
          options={measures}
          onValueChange={(measure) => useEmbeddingsViews.setState({ measure })}
        />
      </div>
      <p className={classNames(styles.query, 'truncate')} dir="auto">
        {search.runId === null
          ? `Nearest to ${row + 1} · ${names[row] ?? ''}`
          : `Nearest to “${search.text}”`}
      </p>
      {search.error !== null && <ErrorAlert compact error={search.error} />}
      {error !== null && <ErrorAlert compact error={error} />}
      {isWaiting && <Spinner label="Finding neighbors" />}
      {output !== null && <NeighborList neighbors={output} names={names} onRow={showRow} />}
    </>
  );
}

function isRow(number: number, { rows }: VectorSet): boolean {
  return Number.isInteger(number) && number >= 1 && number <= rows;
}

interface NeighborListProps {
  neighbors: readonly Neighbor[];
  names: readonly string[];
  onRow: (row: number) => void;
}

function NeighborList({ neighbors, names, onRow }: NeighborListProps) {
  const list = useRef<VListHandle>(null);
  const range = useMemo(() => {
    const scores = neighbors.map(({ score }) => score);
    return { min: Math.min(0, scores.at(-1) ?? 0), max: Math.max(scores[0] ?? 1, 1e-9) };
  }, [neighbors]);
  const roving = useRovingList({
    keys: useMemo(() => neighbors.map(({ row }) => String(row)), [neighbors]),
    currentKey: null,
    getItemText: (at) => names[neighbors[at]?.row ?? 0] ?? '',
    scrollTo: (at) => list.current?.scrollToIndex(at, { align: 'nearest' }),
  });
  return (
    <VList
      ref={list}
      data={neighbors}
      bufferSize={600}
      className={styles.list}
      role="list"
      aria-label="Neighbors"
      keepMounted={neighbors.length > 0 ? [roving.stop] : []}
      {...roving.listProps}
    >
      {({ row, score }, at) => (
        // biome-ignore lint/a11y/useSemanticElements: the virtual list wraps each item in its own element.
        <div key={row} role="listitem" data-row={row} className={styles.item}>
          <span className="caption tabular">{at + 1}</span>
          <div className={styles.words}>
            <div className={styles.scoreLine}>
              <span className={styles.track}>
                <span style={{ inlineSize: `${100 * getHeat(score, range)}%` }} />
              </span>
              <span className={classNames(styles.score, 'caption tabular')}>
                {formatScore(score)}
              </span>
              <span className={classNames(styles.rowNumber, 'caption tabular')}>
                Input {row + 1}
              </span>
            </div>
            <button
              type="button"
              className={classNames(styles.text, 'bare')}
              dir="auto"
              tabIndex={roving.getTabIndex(at)}
              aria-label={`Neighbors of input ${row + 1}: ${names[row] ?? ''}`}
              onClick={() => onRow(row)}
            >
              {names[row]}
            </button>
          </div>
        </div>
      )}
    </VList>
  );
}
