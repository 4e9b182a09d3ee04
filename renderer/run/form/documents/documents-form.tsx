import { memo, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { VList, type VListHandle } from 'virtua';
import { pluralize } from '../../../lib/format-quantity.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { FileButton } from '../../../ui/file-button.tsx';
import { FileDrop } from '../../../ui/file-drop.tsx';
import { FoldButton } from '../../../ui/fold-button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PlusIcon, TrashIcon } from '../../../ui/icons/actions.tsx';
import { NumberedTextArea } from '../../../ui/numbered-text-area.tsx';
import { useFocusPassing } from '../../../ui/pass-focus.ts';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { useRovingList } from '../../../ui/roving-list.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { UndoBars } from '../../../ui/undo-bars.tsx';
import { useTextFiles } from '../use-text-files.ts';
import {
  capitalize,
  clearDocuments,
  type DocumentSource,
  removeDocument,
} from './document-source.ts';
import styles from './documents.module.css';
import {
  appendDocuments,
  getDocuments,
  getLines,
  LINE_BREAK_SIGN,
  mergeColumns,
  numberDocuments,
  readDocuments,
  readJsonDocuments,
  toLine,
  toText,
} from './documents.ts';

export type DocumentsView = 'lines' | 'rows';

const views = [
  { value: 'lines', label: 'Lines' },
  { value: 'rows', label: 'Rows' },
] as const;

interface DocumentsFormProps {
  source: DocumentSource;
  text: string;
  view: DocumentsView;
  onView: (view: DocumentsView) => void;
  error: string | null;
  /** Additional controls next to the count. */
  actions?: ReactNode;
}

export function DocumentsForm(props: DocumentsFormProps) {
  const { source, text, view, onView, error, actions } = props;
  const { noun, write } = source;
  const [note, setNote] = useState<string | null>(null);
  const files = useTextFiles({ megabytes: 50 }, (name, content) => {
    const read = readDocuments(name, content, noun);
    if (!read.ok) return read.message;
    const after = appendDocuments(source.getText(), read.documents);
    write(after);
    source.writeColumns(mergeColumns(after, source.getColumns(), read.columns));
    setNote(read.note);
    return null;
  });
  const count = useMemo(() => getDocuments(text).length, [text]);

  return (
    <FileDrop className={styles.documents} onFiles={files.add}>
      <div className="wrap-4 fixed">
        <Segmented
          label={`${capitalize(noun)} view`}
          value={view}
          options={views}
          onValueChange={onView}
        />
        <span className={classNames(styles.count, 'caption tabular grow')} aria-live="polite">
          {pluralize(count, noun)}
        </span>
        <FileButton
          size="small"
          variant="quiet"
          inputLabel={`${capitalize(noun)} files`}
          accept=".txt,.md,.csv,.tsv,.json,.jsonl,.ndjson,text/*"
          multiple
          onFiles={files.add}
        >
          Add files
        </FileButton>
        {actions}
        <IconButton
          size="small"
          label={`Clear ${noun}s`}
          icon={<TrashIcon size={14} />}
          disabled={text === ''}
          onClick={() => clearDocuments(source)}
        />
      </div>
      <UndoBars place={source.form.id} />
      {files.problem !== null && <ProblemNote>{files.problem}</ProblemNote>}
      <p className="caption" role="status" hidden={note === null || text === ''}>
        {note}
      </p>
      {view === 'lines' ? (
        <DocumentLines noun={noun} text={text} error={error} onText={write} />
      ) : (
        <DocumentRows
          noun={noun}
          lines={getLines(text)}
          error={error}
          onText={write}
          onRemove={(at) => removeDocument(source, at)}
        />
      )}
    </FileDrop>
  );
}

interface FoldedDocumentsProps {
  noun: DocumentSource['noun'];
  text: string;
  error: string | null;
  children: ReactNode;
}

/** Collapses the documents to leave room for results, unless they're empty or have an error. */
export function FoldedDocuments({ noun, text, error, children }: FoldedDocumentsProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const passesFocus = useFocusPassing<HTMLDivElement>();
  const opens = isOpen || error !== null || text.trim() === '';
  return (
    <div className="stack-8">
      <FoldButton open={opens} onOpenChange={setOpen} controls={id}>
        {pluralize(getDocuments(text).length, noun)}
      </FoldButton>
      {opens && (
        <div ref={passesFocus} id={id} className={styles.unfolded}>
          {children}
        </div>
      )}
    </div>
  );
}

interface DocumentLinesProps {
  noun: DocumentSource['noun'];
  text: string;
  error: string | null;
  onText: (text: string) => void;
}

function DocumentLines({ noun, text, error, onText }: DocumentLinesProps) {
  const numbers = useMemo(() => numberDocuments(text.split('\n')), [text]);
  return (
    <NumberedTextArea
      label={`${capitalize(noun)}s`}
      numbers={numbers}
      className={styles.lines}
      value={text}
      onValueChange={onText}
      error={error}
      help={
        text.includes(LINE_BREAK_SIGN)
          ? `${LINE_BREAK_SIGN} is a line break within ${article[noun]} ${noun}.`
          : undefined
      }
      placeholder={`One ${noun} per line.\nPaste lines or a JSON array,\nor drop a text, CSV or JSONL file.`}
      spellCheck={false}
      onPaste={(event) => {
        const documents = readJsonDocuments(event.clipboardData.getData('text/plain'));
        if (documents === null) return;
        event.preventDefault();
        const { selectionStart: from, selectionEnd: to } = event.currentTarget;
        const before = text.slice(0, from);
        const gap = before === '' || before.endsWith('\n') ? '' : '\n';
        onText(before + gap + toText(documents) + text.slice(to));
      }}
    />
  );
}

const article = { document: 'a', input: 'an' } as const;

interface DocumentRowsProps {
  noun: DocumentSource['noun'];
  lines: string[];
  error: string | null;
  onText: (text: string) => void;
  onRemove: (lineIndex: number) => void;
}

/** Arrow keys move between rows, Enter edits a row and Escape stops editing. */
export function DocumentRows({ noun, lines, error, onText, onRemove }: DocumentRowsProps) {
  const list = useRef<VListHandle>(null);
  const latest = useRef(lines);
  const numbers = numberDocuments(lines);
  const added = useRef(false);
  const box = useRef<HTMLDivElement>(null);

  const roving = useRovingList({
    keys: useMemo(() => lines.map((_, at) => `${at}`), [lines]),
    currentKey: null,
    getItemText: (at) => lines[at] ?? '',
    scrollTo: (at) => list.current?.scrollToIndex(at, { align: 'nearest' }),
  });

  useEffect(() => {
    latest.current = lines;
    removeRow.current = onRemove;
    if (!added.current) return;
    added.current = false;
    list.current?.scrollToIndex(lines.length - 1, { align: 'end' });
    requestAnimationFrame(() => {
      const areas = box.current?.querySelectorAll('textarea');
      areas?.[areas.length - 1]?.focus();
    });
  });

  // Keep the function stable, so that typing in one row doesn't re-render the others.
  const removeRow = useRef(onRemove);
  const remove = useRef((at: number) => removeRow.current(at)).current;
  const replace = useRef((at: number, documents: string[]) => {
    const next = latest.current.toSpliced(at, 1, ...documents.map(toLine));
    latest.current = next;
    onText(next.join('\n'));
  }).current;

  return (
    <div className={classNames(styles.rowsBox, 'stack-8 grow')} ref={box}>
      {error !== null && <ProblemNote>{error}</ProblemNote>}
      {lines.length > 0 && (
        <VList
          ref={list}
          data={lines}
          bufferSize={600}
          keepMounted={[roving.stop]}
          className={styles.rows}
          role="list"
          aria-label={`${capitalize(noun)} rows`}
          {...roving.listProps}
        >
          {(line, at) => (
            <DocumentRow
              key={at}
              noun={noun}
              at={at}
              number={numbers[at] ?? null}
              line={line}
              tabIndex={roving.getTabIndex(at)}
              onReplace={replace}
              onRemove={remove}
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
          // Empty text has no rows, so the first row starts as a space.
          onText(lines.length === 0 ? ' ' : `${lines.join('\n')}\n`);
        }}
      >
        Add {noun}
      </Button>
    </div>
  );
}

interface DocumentRowProps {
  noun: DocumentSource['noun'];
  at: number;
  /** The document's number, from 1; null for an empty row, which isn't sent. */
  number: number | null;
  line: string;
  tabIndex: number;
  onReplace: (at: number, documents: string[]) => void;
  onRemove: (at: number) => void;
}

const DocumentRow = memo(function DocumentRow(props: DocumentRowProps) {
  const { noun, at, number, line, tabIndex, onReplace, onRemove } = props;
  const name = `${capitalize(noun)} ${at + 1}`;
  const row = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the virtual list wraps each item in its own element.
    <div
      ref={row}
      role="listitem"
      aria-label={name}
      data-row={at}
      tabIndex={tabIndex}
      className={styles.row}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const onRow = event.target === row.current;
        if (onRow && event.key === 'Enter') area.current?.focus();
        else if (onRow && event.key === 'Delete') {
          // Ignore key repeat, which would also delete the next row.
          if (!event.repeat) onRemove(at);
        } else if (!onRow && event.key === 'Escape') row.current?.focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <span className={classNames(styles.number, 'hint tabular')} aria-hidden="true">
        {number}
      </span>
      <TextArea
        ref={area}
        tabIndex={-1}
        label={name}
        hideLabel
        value={line === ' ' ? '' : line.replaceAll(LINE_BREAK_SIGN, '\n')}
        onValueChange={(text) => onReplace(at, [text])}
        autoGrow
        rows={1}
        maxRows={4}
        spellCheck={false}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text/plain');
          const documents = readJsonDocuments(pasted) ?? pasted.trim().split(/\r\n|\r|\n/);
          // Split pasted lines into documents only if the row is empty.
          if (line.trim() !== '' || documents.length < 2) return;
          event.preventDefault();
          onReplace(at, documents);
        }}
      />
      <IconButton
        size="small"
        tabIndex={-1}
        label={`Remove ${noun} ${at + 1}`}
        icon={<TrashIcon size={14} />}
        onClick={() => onRemove(at)}
      />
    </div>
  );
});
