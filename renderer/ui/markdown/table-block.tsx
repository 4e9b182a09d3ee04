import { Lexer, type Tokens } from 'marked';
import { memo } from 'react';
import { listGroups, type TableBlock as TableBlockData } from './block.ts';
import { Inline } from './inline.tsx';
import styles from './markdown.module.css';

export function TableBlock({ block }: { block: TableBlockData }) {
  const table = lexTable(block.head);
  return (
    <div className={styles.tableScroller}>
      <table>
        <thead>
          <tr>
            {table?.header.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never reorder.
              <th key={index} dir="auto" style={getAlignment(cell.align)} scope="col">
                <Inline text={cell.text} allowsBreaks />
              </th>
            ))}
          </tr>
        </thead>
        {listGroups(block.rows).map((rows, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever added.
          <RowGroup key={index} head={block.head} rows={rows} />
        ))}
      </table>
    </div>
  );
}

interface RowGroupProps {
  head: string;
  rows: readonly string[];
}

const RowGroup = memo(function RowGroup({ head, rows }: RowGroupProps) {
  return (
    <tbody>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever added.
        <Row key={index} head={head} row={row} />
      ))}
    </tbody>
  );
});

const Row = memo(function Row({ head, row }: { head: string; row: string }) {
  const cells = lexTable(`${head}${row}\n`)?.rows[0] ?? [];
  return (
    <tr>
      {cells.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns never reorder.
        <td key={index} dir="auto" style={getAlignment(cell.align)}>
          <Inline text={cell.text} allowsBreaks />
        </td>
      ))}
    </tr>
  );
});

function lexTable(raw: string): Tokens.Table | null {
  const token = new Lexer().blockTokens(raw, [])[0];
  return token?.type === 'table' ? (token as Tokens.Table) : null;
}

function getAlignment(align: 'center' | 'left' | 'right' | null) {
  return align === null ? undefined : { textAlign: align };
}
