import { type DragEvent, useMemo, useRef, useState } from 'react';
import { formatBytes, formatCountOf } from '../../lib/format-quantity.ts';
import { offerUndo } from '../../lib/undo.ts';
import { splitTokens } from '../../run/compare/metrics/transcript-tokens.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons/actions.tsx';
import { ErrorIcon } from '../../ui/icons/status.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import styles from './reference-text.module.css';

interface ReferenceTextProps {
  /** Where Undo is offered. */
  place: string;
  value: string;
  onValueChange: (value: string) => void;
}

const largestBytes = 5_000_000;

/** What was said in a recording, for transcripts to be scored against: typed, pasted or from a text file. */
export function ReferenceText({ place, value, onValueChange }: ReferenceTextProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [dragging, setDragging] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const wordCount = useMemo(() => splitTokens(value).length, [value]);

  function exchange(text: string, message: string): void {
    onValueChange(text);
    setProblem(null);
    if (value.trim() === '') return;
    offerUndo({ message, place, undo: () => onValueChange(value) });
  }

  async function importFile(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    if (file.size > largestBytes) {
      setProblem(`${file.name} is ${formatBytes(file.size)}. The limit is 5 MB.`);
      return;
    }
    const text = (await file.text()).replace(/^\uFEFF/, '');
    // What is not UTF-8 has bytes that no letter has.
    if (/[\0\uFFFD]/.test(text)) setProblem(`${file.name} is not a UTF-8 text file.`);
    else if (text.trim() === '') setProblem(`${file.name} is empty.`);
    else exchange(text, 'Reference text replaced');
  }

  const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a file can be chosen by the button as well.
    <div
      className={classNames(styles.reference, dragging && styles.dragging)}
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
        void importFile(event.dataTransfer.files[0]);
      }}
    >
      <TextArea
        label="Reference text"
        value={value}
        onValueChange={onValueChange}
        placeholder="What is said in the recording, word for word"
        autoGrow
        rows={2}
        maxRows={8}
        spellCheck={false}
      />
      <div className={styles.actions}>
        <span className={styles.count}>{formatCountOf(wordCount, 'word')}</span>
        <Button size="small" variant="quiet" onClick={() => chooser.current?.click()}>
          Import file
        </Button>
        <input
          ref={chooser}
          type="file"
          hidden
          aria-label="Reference text file"
          accept=".txt,.md,text/plain"
          onChange={(event) => {
            void importFile(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
        <IconButton
          size="small"
          label="Clear reference text"
          icon={<TrashIcon size={14} />}
          disabled={value === ''}
          onClick={() => exchange('', 'Reference text cleared')}
        />
      </div>
      <UndoBars place={place} />
      {problem !== null && (
        <p className={styles.problem} role="alert">
          <ErrorIcon size={14} />
          {problem}
        </p>
      )}
    </div>
  );
}
