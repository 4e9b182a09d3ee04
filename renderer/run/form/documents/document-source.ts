import type { OperationName } from '../../../../shared/operations/operation-name.ts';
import type { ColumnsByText } from '../../../../shared/operations/rerank/request.ts';
import { pluralize } from '../../../lib/format-quantity.ts';
import { changeWithUndo } from '../change-with-undo.ts';
import type { Form } from '../form.ts';
import { getDocuments, getLines } from './documents.ts';

/** A form's field with one document per line. */
export interface DocumentSource {
  form: Form<OperationName>;
  noun: 'document' | 'input';
  getText: () => string;
  write: (text: string) => void;
  getColumns: () => ColumnsByText;
  writeColumns: (columns: ColumnsByText) => void;
}

export function clearDocuments({ form, noun, getText, write }: DocumentSource): void {
  const message = `${pluralize(getDocuments(getText()).length, noun)} cleared`;
  changeWithUndo(form, () => write(''), message);
}

export function removeDocument(source: DocumentSource, lineIndex: number): void {
  const { form, noun, write } = source;
  const lines = getLines(source.getText());
  const removed = lines[lineIndex];
  if (removed === undefined) return;
  const remove = () => write(lines.toSpliced(lineIndex, 1).join('\n'));
  if (removed.trim() === '') remove();
  else {
    const message = `${capitalize(noun)} removed`;
    changeWithUndo(form, remove, message, { severalWords: `# ${noun}s removed` });
  }
}

export function capitalize(noun: string): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}
