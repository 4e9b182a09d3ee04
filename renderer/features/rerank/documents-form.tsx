import { type DragEvent, useMemo, useRef, useState } from 'react';
import { formatBytes, formatCountOf } from '../../lib/format-quantity.ts';
import { useForm } from '../../run/form/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons/actions.tsx';
import { ErrorIcon } from '../../ui/icons/status.tsx';
import { NumberedTextArea } from '../../ui/numbered-text-area.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import { DocumentRows } from './document-rows.tsx';
import {
  documentLines,
  documentNumbers,
  documentsOf,
  lineBreakSign,
  readDocuments,
  readJsonDocuments,
  toText,
  withDocuments,
} from './documents.ts';
import styles from './documents-form.module.css';
import {
  clearDocuments,
  rerankForm,
  showDocumentsAs,
  useRerankViews,
  writeDocuments,
} from './rerank-store.ts';

const largestBytes = 50_000_000;
const views = [
  { value: 'lines', label: 'Lines' },
  { value: 'rows', label: 'Rows' },
] as const;

/** The documents as lines or as rows; files are dropped on it or chosen. */
export function DocumentsForm({ error }: { error: string | null }) {
  const text = useForm(rerankForm, ({ input }) => input.documents);
  const view = useRerankViews((views) => views.documentsView);
  const [fileProblem, setFileProblem] = useState<string | null>(null);
  const [dragging, setDragging] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const count = useMemo(() => documentsOf(text).length, [text]);

  async function addFiles(files: Iterable<File>) {
    setFileProblem(null);
    for (const file of files) {
      if (file.size > largestBytes) {
        setFileProblem(`${file.name} is ${formatBytes(file.size)}. The limit is 50 MB.`);
        continue;
      }
      const read = readDocuments(file.name, await file.text());
      const { documents } = rerankForm.state.getState().values.input;
      if (read.ok) writeDocuments(withDocuments(documents, read.documents));
      else setFileProblem(read.message);
    }
  }

  const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be chosen by the button as well.
    <div
      className={classNames(styles.form, dragging && styles.dragging)}
      onDragOver={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setDragging(true);
      }}
      onDragLeave={() => setDragging(false)}
      onDrop={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setDragging(false);
        void addFiles([...event.dataTransfer.files]);
      }}
    >
      <div className={styles.bar}>
        <Segmented
          label="Document view"
          value={view}
          options={views}
          onValueChange={showDocumentsAs}
        />
        <span className={styles.count} aria-live="polite">
          {formatCountOf(count, 'document')}
        </span>
        <Button size="small" variant="quiet" onClick={() => chooser.current?.click()}>
          Add files
        </Button>
        <input
          ref={chooser}
          type="file"
          hidden
          multiple
          aria-label="Document files"
          accept=".txt,.md,.csv,.tsv,.json,.jsonl,.ndjson,text/*"
          onChange={(event) => {
            void addFiles([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
        <IconButton
          size="small"
          label="Clear documents"
          icon={<TrashIcon size={14} />}
          disabled={text === ''}
          onClick={clearDocuments}
        />
      </div>
      <UndoBars place={rerankForm.id} />
      {fileProblem !== null && (
        <p className={styles.problem} role="alert">
          <ErrorIcon size={14} />
          {fileProblem}
        </p>
      )}
      {view === 'lines' ? (
        <DocumentLines text={text} error={error} onText={writeDocuments} />
      ) : (
        <DocumentRows lines={documentLines(text)} error={error} onText={writeDocuments} />
      )}
    </div>
  );
}

interface DocumentLinesProps {
  text: string;
  error: string | null;
  onText: (text: string) => void;
}

/** One document per line; a JSON array that is pasted becomes its documents. */
function DocumentLines({ text, error, onText }: DocumentLinesProps) {
  const numbers = useMemo(() => documentNumbers(text.split('\n')), [text]);
  return (
    <NumberedTextArea
      label="Documents"
      numbers={numbers}
      className={styles.lines}
      value={text}
      onValueChange={onText}
      error={error}
      help={
        text.includes(lineBreakSign)
          ? `${lineBreakSign} marks a line break inside a document.`
          : undefined
      }
      placeholder={
        'One document per line.\nPaste lines or a JSON array,\nor drop a text, CSV or JSONL file.'
      }
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
