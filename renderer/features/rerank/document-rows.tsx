import { memo, useEffect, useRef } from 'react';
import { VList, type VListHandle } from 'virtua';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlusIcon, TrashIcon } from '../../ui/icons/actions.tsx';
import { ErrorIcon } from '../../ui/icons/status.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { documentNumbers, lineBreakSign, readJsonDocuments, toLine } from './documents.ts';
import styles from './documents-form.module.css';
import { removeDocument } from './rerank-store.ts';

interface DocumentRowsProps {
  lines: string[];
  error: string | null;
  onText: (text: string) => void;
}

/** One document per row; only the rows in sight are in the page. */
export function DocumentRows({ lines, error, onText }: DocumentRowsProps) {
  const list = useRef<VListHandle>(null);
  const current = useRef(lines);
  const numbers = documentNumbers(lines);
  const added = useRef(false);
  const box = useRef<HTMLDivElement>(null);

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
      {error !== null && (
        <p className={styles.problem} role="alert">
          <ErrorIcon size={14} />
          {error}
        </p>
      )}
      {lines.length > 0 && (
        <VList ref={list} data={lines} bufferSize={600} className={styles.rows}>
          {(line, at) => (
            <DocumentRow
              key={at}
              at={at}
              number={numbers[at] ?? null}
              line={line}
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
  /** From 1, as it is sent; null while it is empty. */
  number: number | null;
  line: string;
  onReplace: (at: number, documents: string[]) => void;
}

const DocumentRow = memo(function DocumentRow({ at, number, line, onReplace }: DocumentRowProps) {
  return (
    <div className={styles.row}>
      <span className={styles.number} aria-hidden="true">
        {number}
      </span>
      <TextArea
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
        label={`Remove document ${at + 1}`}
        icon={<TrashIcon size={14} />}
        onClick={() => removeDocument(at)}
      />
    </div>
  );
});
