import { useEffect, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { MAX_REFERENCE_CHARS } from '../../../shared/reference-limit.ts';
import { api } from '../../lib/api.ts';
import { overLimit } from '../../lib/over-limit.ts';
import { createSavedTexts } from '../../lib/saved-texts.ts';

interface Reference {
  /** As it is typed. */
  value: string;
  onValueChange: (value: string) => void;
  /** Under the field; null if main takes the text. */
  problem: string | null;
  /** Why main did not take it. */
  error: AppError | null;
  /** What transcripts are compared with: as main has it; null while the field has what main would not take. */
  scored: string | null;
}

/** The reference text of a recording, kept with its comparison. `saved`: as main has it. */
export function useReference(comparisonId: string, rowId: string, saved: string | null): Reference {
  const id = referenceId(comparisonId, rowId);
  const [typed, setTyped] = useState(() => referenceTexts.unsaved(id));
  const [known, setKnown] = useState(saved);
  const error = referenceTexts.useProblems((problems) => problems[id] ?? null);
  if (known !== saved) {
    // Main has it now, or something that another window wrote.
    setKnown(saved);
    setTyped(referenceTexts.unsaved(id));
  }
  useEffect(() => () => void referenceTexts.flush(id), [id]);
  const value = typed ?? saved ?? '';
  const problem = overLimit(value.length, MAX_REFERENCE_CHARS);
  return {
    value,
    onValueChange(text) {
      setTyped(text);
      referenceTexts.saveSoon(id, text);
    },
    problem,
    error,
    scored: problem === null ? saved : null,
  };
}

/** The reference texts of comparisons, by `referenceId`. */
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

/** A comparison's ID has no space. */
export function referenceId(comparisonId: string, rowId: string): string {
  return `${comparisonId} ${rowId}`;
}
