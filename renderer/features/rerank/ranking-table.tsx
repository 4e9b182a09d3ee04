import type { ReactNode } from 'react';
import { VList } from 'virtua';
import { WarningIcon } from '../../ui/icons/status.tsx';
import { Movement } from './movement.tsx';
import styles from './ranking.module.css';
import { problemWords, type RankedDocument } from './ranking.ts';

interface RankingTableProps {
  documents: RankedDocument[];
  sentCount: number;
}

const columns = ['Rank', 'Score', 'Index', 'Moved', 'Document'];

/** A row for each document; only those in sight are in the page. */
export function RankingTable({ documents, sentCount }: RankingTableProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual list cannot be built of table elements.
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
        tabIndex={0}
      >
        {(document) => (
          <Row key={document.rank} index={document.rank + 1} className={styles.row}>
            <Cell>{document.rank}</Cell>
            <Cell>{document.relevanceScore ?? '–'}</Cell>
            <Cell>{document.index ?? '–'}</Cell>
            <Cell>
              <Movement movedUp={document.movedUp} />
            </Cell>
            <Cell className={styles.cellText}>
              {document.text ?? '–'}
              {document.problem !== null && (
                <span className={styles.problem}>
                  <WarningIcon size={14} />
                  {problemWords(document.problem, sentCount)}
                </span>
              )}
            </Cell>
          </Row>
        )}
      </VList>
    </div>
  );
}

interface RowProps {
  index: number;
  className: string | undefined;
  children: ReactNode;
}

function Row({ index, className, children }: RowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the table.
    // biome-ignore lint/a11y/useFocusableInteractive: a row that does nothing.
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
