import { type ReactNode, useMemo, useRef, useState } from 'react';
import { VList, type VListHandle } from 'virtua';
import type { JsonObject } from '../../../shared/json.ts';
import { toDisplayText } from '../../../shared/operations/response/values.ts';
import { createScoreFormat, describeMovement } from '../../run/compare/ranked/score-format.ts';
import { classNames } from '../../ui/class-names.ts';
import { WarningIcon } from '../../ui/icons/status.tsx';
import { useRovingList } from '../../ui/roving-list.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import styles from './ranking.module.css';
import { createBarScale, describeProblem, type RankedDocument } from './ranking.ts';

interface RankingBarsProps {
  documents: RankedDocument[];
  sentCount: number;
}

/** Renders a list with one Tab stop; a click or Enter expands a long document. */
export function RankingBars({ documents, sentCount }: RankingBarsProps) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const scale = useMemo(() => createBarScale(documents), [documents]);
  const format = useMemo(() => createScoreFormat(documents), [documents]);
  const list = useRef<VListHandle>(null);
  const roving = useRovingList({
    keys: useMemo(() => documents.map(({ rank }) => String(rank)), [documents]),
    currentKey: null,
    getItemText: (index) => documents[index]?.text ?? '',
    scrollTo: (index) => list.current?.scrollToIndex(index, { align: 'nearest' }),
  });

  function toggle(rank: number) {
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(rank)) after.add(rank);
      return after;
    });
  }

  return (
    <VList
      ref={list}
      data={documents}
      bufferSize={1200}
      className={styles.list}
      role="list"
      keepMounted={documents.length > 0 ? [roving.stop] : []}
      {...roving.listProps}
      onKeyDown={(event) => {
        // Let page keys scroll the list, because a document can be taller than the list.
        if (event.key !== 'PageDown' && event.key !== 'PageUp') roving.listProps.onKeyDown(event);
      }}
    >
      {(document, index) => (
        <Bar
          key={document.rank}
          tabIndex={roving.getTabIndex(index)}
          document={document}
          filled={document.relevanceScore === null ? null : scale(document.relevanceScore)}
          format={format}
          sentCount={sentCount}
          open={open.has(document.rank)}
          onToggle={() => toggle(document.rank)}
        />
      )}
    </VList>
  );
}

interface BarProps {
  document: RankedDocument;
  /** The bar length from 0 to 1; null if there is no score. */
  filled: number | null;
  format: (score: number) => string;
  sentCount: number;
  open: boolean;
  tabIndex: 0 | -1;
  onToggle: () => void;
}

function Bar({ document, filled, format, sentCount, open, tabIndex, onToggle }: BarProps) {
  const { rank, index, relevanceScore, text, fields, movedUp, problem } = document;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the virtual list wraps each item in its own element.
    <div role="listitem" data-row={rank} className={styles.item}>
      <span className={styles.rank}>{rank}</span>
      <div className="stack-4">
        <div className={styles.line}>
          <span className={styles.track} data-empty={filled === null || undefined}>
            {filled !== null && (
              <span
                className={styles.fill}
                style={{ inlineSize: `${Math.max(0, Math.min(1, filled)) * 100}%` }}
              />
            )}
          </span>
          <Score score={relevanceScore} format={format} />
          <Movement movedUp={movedUp} />
          <DocumentNumber index={index} />
        </div>
        {text === null ? (
          <p className={styles.missing} tabIndex={tabIndex}>
            The text of this document isn’t available.
          </p>
        ) : (
          <button
            type="button"
            className={classNames(styles.text, 'bare')}
            dir="auto"
            tabIndex={tabIndex}
            data-open={open || undefined}
            aria-expanded={open}
            onClick={onToggle}
          >
            {text}
          </button>
        )}
        {fields !== null && <DocumentFields fields={fields} open={open} />}
        {problem !== null && (
          <p className={styles.problem}>
            <WarningIcon size={14} />
            {describeProblem(problem, sentCount)}
          </p>
        )}
      </div>
    </div>
  );
}

function DocumentFields({ fields, open = false }: { fields: JsonObject; open?: boolean }) {
  return (
    <dl className={classNames(styles.fields, 'caption')} data-open={open || undefined}>
      {Object.entries(fields).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{toDisplayText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface RankingTableProps {
  documents: RankedDocument[];
  sentCount: number;
}

const columns = ['Rank', 'Score', 'Document', 'Moved', 'Text'];

export function RankingTable({ documents, sentCount }: RankingTableProps) {
  const format = useMemo(() => createScoreFormat(documents), [documents]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual list can't use table elements.
    <div
      role="table"
      aria-label="Ranking"
      aria-rowcount={documents.length + 1}
      className={styles.table}
    >
      <Row index={1} className={styles.columns}>
        {columns.map((column) => (
          <Cell key={column} role="columnheader">
            {column}
          </Cell>
        ))}
      </Row>
      <VList
        data={documents}
        bufferSize={1200}
        className={styles.list}
        role="rowgroup"
        data-scroller
        tabIndex={0}
      >
        {(document) => (
          <Row key={document.rank} index={document.rank + 1} className={styles.row}>
            <Cell>{document.rank}</Cell>
            <Cell>
              <Score score={document.relevanceScore} format={format} />
            </Cell>
            <Cell>
              <DocumentNumber index={document.index} short />
            </Cell>
            <Cell>
              <Movement movedUp={document.movedUp} />
            </Cell>
            <Cell className={styles.cellText}>
              {document.text ?? '–'}
              {document.fields !== null && <DocumentFields fields={document.fields} />}
              {document.problem !== null && (
                <span className={styles.problem}>
                  <WarningIcon size={14} />
                  {describeProblem(document.problem, sentCount)}
                </span>
              )}
            </Cell>
          </Row>
        )}
      </VList>
    </div>
  );
}

interface ScoreProps {
  score: number | null;
  format: (score: number) => string;
}

/** Shows a rounded score, with all digits in a tooltip. */
function Score({ score, format }: ScoreProps) {
  if (score === null) {
    return (
      <span className={styles.score}>
        <span className="visually-hidden">No score</span>
      </span>
    );
  }
  return (
    <Tooltip text={`relevance_score ${score}`}>
      <span className={styles.score}>
        <span className="visually-hidden">Score </span>
        {format(score)}
      </span>
    </Tooltip>
  );
}

/** Shows a document number from 1; the tooltip shows the API's index, which counts from 0. */
function DocumentNumber({ index, short = false }: { index: number | null; short?: boolean }) {
  if (index === null) return <span className={styles.index}>{short ? '–' : 'No index'}</span>;
  return (
    <Tooltip text={`index ${index} in the API (counted from 0)`}>
      <span className={styles.index}>{short ? index + 1 : `Document ${index + 1}`}</span>
    </Tooltip>
  );
}

interface RowProps {
  index: number;
  className: string | undefined;
  children: ReactNode;
}

function Row({ index, className, children }: RowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual list can't use table elements.
    // biome-ignore lint/a11y/useFocusableInteractive: rows are not interactive.
    <div role="row" aria-rowindex={index} className={className}>
      {children}
    </div>
  );
}

interface CellProps {
  role?: 'cell' | 'columnheader';
  className?: string | undefined;
  children: ReactNode;
}

function Cell({ role = 'cell', className, children }: CellProps) {
  return (
    <span role={role} className={className}>
      {children}
    </span>
  );
}

function Movement({ movedUp }: { movedUp: number | null }) {
  if (movedUp === null)
    return <span className={classNames(styles.movement, 'caption tabular fixed')} />;
  const tone = movedUp > 0 ? styles.up : movedUp < 0 ? styles.down : undefined;
  return (
    <span className={classNames(styles.movement, 'caption tabular fixed', tone)}>
      <span aria-hidden="true">{movedUp > 0 ? '↑' : movedUp < 0 ? '↓' : '='}</span>{' '}
      {describeMovement(movedUp)}
    </span>
  );
}
