import { useMemo } from 'react';
import { pluralize } from '../../lib/format-quantity.ts';
import { useForm } from '../../run/form/use-form.ts';
import { useTextFiles } from '../../run/form/use-text-files.ts';
import { FileButton } from '../../ui/file-button.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons/actions.tsx';
import { NumberedTextArea } from '../../ui/numbered-text-area.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import { DocumentRows } from './document-rows.tsx';
import {
  documentLines,
  documentNumbers,
  getDocuments,
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

const views = [
  { value: 'lines', label: 'Lines' },
  { value: 'rows', label: 'Rows' },
] as const;

/** The documents as lines or as rows; files are dropped on it or chosen. */
export function DocumentsForm({ error }: { error: string | null }) {
  const text = useForm(rerankForm, ({ input }) => input.documents);
  const view = useRerankViews((views) => views.documentsView);
  const files = useTextFiles({ megabytes: 50 }, (name, content) => {
    const read = readDocuments(name, content);
    if (!read.ok) return read.message;
    const { documents } = rerankForm.state.getState().values.input;
    writeDocuments(withDocuments(documents, read.documents));
    return null;
  });
  const count = useMemo(() => getDocuments(text).length, [text]);

  return (
    <FileDrop className={styles.form} onFiles={files.add}>
      <div className={styles.bar}>
        <Segmented
          label="Document view"
          value={view}
          options={views}
          onValueChange={showDocumentsAs}
        />
        <span className={styles.count} aria-live="polite">
          {pluralize(count, 'document')}
        </span>
        <FileButton
          size="small"
          variant="quiet"
          inputLabel="Document files"
          accept=".txt,.md,.csv,.tsv,.json,.jsonl,.ndjson,text/*"
          multiple
          onFiles={files.add}
        >
          Add files
        </FileButton>
        <IconButton
          size="small"
          label="Clear documents"
          icon={<TrashIcon size={14} />}
          disabled={text === ''}
          onClick={clearDocuments}
        />
      </div>
      <UndoBars place={rerankForm.id} />
      {files.problem !== null && <ProblemNote>{files.problem}</ProblemNote>}
      {view === 'lines' ? (
        <DocumentLines text={text} error={error} onText={writeDocuments} />
      ) : (
        <DocumentRows lines={documentLines(text)} error={error} onText={writeDocuments} />
      )}
    </FileDrop>
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
