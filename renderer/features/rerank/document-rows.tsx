import { memo, useEffect, useMemo, useRef } from 'react';
import { VList, type VListHandle } from 'virtua';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlusIcon, TrashIcon } from '../../ui/icons/actions.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useRovingList } from '../../ui/roving-list.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { documentNumbers, lineBreakSign, readJsonDocuments, toLine } from './documents.ts';
import styles from './documents-form.module.css';
import { removeDocument } from './rerank-store.ts';

interface DocumentRowsProps {
  lines: string[];
  error: string | null;
  onText: (text: string) => void;
}

/**
 * One document per row; only the rows in sight are in the page. The keyboard moves from row to row, Enter
 * edits a row and Escape leaves it.
 */
export function DocumentRows({ lines, error, onText }: DocumentRowsProps) {
  const list = useRef<VListHandle>(null);
  const current = useRef(lines);
  const numbers = documentNumbers(lines);
  const added = useRef(false);
  const box = useRef<HTMLDivElement>(null);

  const roving = useRovingList({
    keys: useMemo(() => lines.map((_, at) => `${at}`), [lines]),
    currentKey: null,
    textOf: (at) => lines[at] ?? '',
    scrollTo: (at) => list.current?.scrollToIndex(at, { align: 'nearest' }),
  });

  useEffect(() => {
    current.current = lines;
    if (!added.current) return;
    added.current = false;
    list.current?.scrollToIndex(lines.length - 1, { align: 'end' });
    requestAnimationFrame(() => {
      const areas = box.current?.querySelectorAll('textarea');
      areas?.[areas.length - 1]?.focus();
    });
  });

  /** Stable, so that a key typed into one row draws no other. */
  const replace = useRef((at: number, documents: string[]) => {
    const next = current.current.toSpliced(at, 1, ...documents.map(toLine));
    current.current = next;
    onText(next.join('\n'));
  }).current;

  return (
    <div className={styles.rowsBox} ref={box}>
      {error !== null && <ProblemNote>{error}</ProblemNote>}
      {lines.length > 0 && (
        <VList
          ref={list}
          data={lines}
          bufferSize={600}
          keepMounted={[roving.stop]}
          className={styles.rows}
          role="list"
          aria-label="Document rows"
          {...roving.listProps}
        >
          {(line, at) => (
            <DocumentRow
              key={at}
              at={at}
              number={numbers[at] ?? null}
              line={line}
              tabIndex={roving.tabIndexOf(at)}
              onReplace={replace}
            />
          )}
        </VList>
      )}
      <Button
        size="small"
        variant="quiet"
        icon={<PlusIcon size={14} />}
        onClick={() => {
          added.current = true;
          // One empty line is one empty row; an empty text has no row at all.
          onText(lines.length === 0 ? ' ' : `${lines.join('\n')}\n`);
        }}
      >
        Add document
      </Button>
    </div>
  );
}

interface DocumentRowProps {
  at: number;
  /** From 1, in the order sent; null while it is empty. */
  number: number | null;
  line: string;
  tabIndex: number;
  onReplace: (at: number, documents: string[]) => void;
}

const DocumentRow = memo(function DocumentRow(props: DocumentRowProps) {
  const { at, number, line, tabIndex, onReplace } = props;
  const row = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual list puts its own element around each.
    <div
      ref={row}
      role="listitem"
      aria-label={`Document ${at + 1}`}
      data-row={at}
      tabIndex={tabIndex}
      className={styles.row}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const onRow = event.target === row.current;
        if (onRow && event.key === 'Enter') area.current?.focus();
        else if (onRow && event.key === 'Delete') {
          // Held down, it would delete the next row too.
          if (!event.repeat) removeDocument(at);
        } else if (!onRow && event.key === 'Escape') row.current?.focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <span className={styles.number} aria-hidden="true">
        {number}
      </span>
      <TextArea
        ref={area}
        tabIndex={-1}
        label={`Document ${at + 1}`}
        hideLabel
        value={line === ' ' ? '' : line.replaceAll(lineBreakSign, '\n')}
        onValueChange={(text) => onReplace(at, [text])}
        autoGrow
        rows={1}
        maxRows={4}
        spellCheck={false}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text/plain');
          const documents = readJsonDocuments(pasted) ?? pasted.trim().split(/\r\n|\r|\n/);
          // Within a text a pasted line break belongs to it; into an empty row come many documents.
          if (line.trim() !== '' || documents.length < 2) return;
          event.preventDefault();
          onReplace(at, documents);
        }}
      />
      <IconButton
        size="small"
        tabIndex={-1}
        label={`Remove document ${at + 1}`}
        icon={<TrashIcon size={14} />}
        onClick={() => removeDocument(at)}
      />
    </div>
  );
});
