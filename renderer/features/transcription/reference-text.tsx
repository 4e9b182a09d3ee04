import { useEffect, useMemo, useState } from 'react';
import { MAX_REFERENCE_CHARS } from '../../../shared/media.ts';
import { api } from '../../lib/api.ts';
import { describeOverLimit, pluralize } from '../../lib/format-quantity.ts';
import { createSavedTexts } from '../../lib/saved-texts.ts';
import { offerUndo } from '../../lib/undo.ts';
import { splitTokens } from '../../run/compare/metrics/transcript-units.ts';
import { useTextFiles } from '../../run/form/use-text-files.ts';
import { FileButton } from '../../ui/file-button.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons/actions.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import { REFERENCE_LABEL } from './transcription-labels.ts';

interface ReferenceTextProps {
  place: string;
  value: string;
  problem: string | null;
  onValueChange: (value: string) => void;
}

export function ReferenceText({ place, value, problem, onValueChange }: ReferenceTextProps) {
  const wordCount = useMemo(() => splitTokens(value).length, [value]);

  const files = useTextFiles({ characters: MAX_REFERENCE_CHARS }, (name, text) => {
    // Bytes that aren't valid UTF-8 are decoded as replacement characters.
    if (/[\0\uFFFD]/.test(text)) return `${name} isn’t a UTF-8 text file.`;
    if (text.trim() === '') return `${name} is empty.`;
    exchange(text, 'Reference text replaced');
    return null;
  });

  function exchange(text: string, message: string): void {
    onValueChange(text);
    if (value.trim() === '') return;
    offerUndo({ message, place, undo: () => onValueChange(value) });
  }

  const addFirst = (chosen: File[]) => files.add(chosen.slice(0, 1));
  return (
    <FileDrop className="stack-4" onFiles={addFirst}>
      <TextArea
        label={REFERENCE_LABEL}
        value={value}
        error={problem}
        onValueChange={onValueChange}
        placeholder="Exact words spoken in the recording"
        autoGrow
        rows={2}
        maxRows={8}
        spellCheck={false}
      />
      <div className="row-4">
        <span className="caption tabular grow">{pluralize(wordCount, 'word')}</span>
        <FileButton
          size="small"
          variant="quiet"
          inputLabel="Reference text file"
          accept=".txt,.md,text/plain"
          onFiles={addFirst}
        >
          Import file
        </FileButton>
        <IconButton
          size="small"
          label="Clear reference text"
          icon={<TrashIcon size={14} />}
          disabled={value === ''}
          onClick={() => {
            files.clearProblem();
            exchange('', 'Reference text cleared');
          }}
        />
      </div>
      <UndoBars place={place} />
      {files.problem !== null && <ProblemNote>{files.problem}</ProblemNote>}
    </FileDrop>
  );
}

/** The comparison stores one reference text per recording. */
export function useReference(comparisonId: string, rowId: string, saved: string | null) {
  const id = toReferenceId(comparisonId, rowId);
  const [typed, setTyped] = useState(() => referenceTexts.getUnsaved(id));
  const [known, setKnown] = useState(saved);
  const error = referenceTexts.useProblems((problems) => problems[id] ?? null);
  if (known !== saved) {
    // The text was saved by the main process or changed in another window.
    setKnown(saved);
    setTyped(referenceTexts.getUnsaved(id));
  }
  useEffect(() => () => void referenceTexts.flush(id), [id]);
  const value = typed ?? saved ?? '';
  const problem = describeOverLimit(value.length, MAX_REFERENCE_CHARS);
  return {
    value,
    onValueChange(text: string) {
      setTyped(text);
      referenceTexts.saveSoon(id, text);
    },
    problem,
    error,
    // Don't score transcripts against text that can't be saved.
    scored: problem === null ? saved : null,
  };
}

export const referenceTexts = createSavedTexts({
  kind: 'reference-text',
  save: (id, text) => {
    const [comparisonId = '', ...rest] = id.split(' ');
    return api.comparisons.note({
      id: comparisonId,
      change: { kind: 'reference', rowId: rest.join(' '), text: text === '' ? null : text },
    });
  },
  canSave: (text) => text.length <= MAX_REFERENCE_CHARS,
});

/** Joins the IDs with a space, which a comparison ID can't contain. */
export function toReferenceId(comparisonId: string, rowId: string): string {
  return `${comparisonId} ${rowId}`;
}
