import { TextArea } from '../../ui/text-area.tsx';
import { lineBreakSign, readJsonDocuments, toText } from './documents.ts';
import styles from './documents-form.module.css';

interface DocumentLinesProps {
  text: string;
  error: string | null;
  onText: (text: string) => void;
}

/** A document a line; a JSON array that is pasted becomes its documents. */
export function DocumentLines({ text, error, onText }: DocumentLinesProps) {
  return (
    <TextArea
      label="Documents"
      className={styles.lines}
      value={text}
      onValueChange={onText}
      error={error}
      help={
        text.includes(lineBreakSign)
          ? `${lineBreakSign} stands for a line break inside a document.`
          : undefined
      }
      placeholder={
        'A document a line.\nPaste lines or a JSON array; drop a text, CSV or JSONL file.'
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
