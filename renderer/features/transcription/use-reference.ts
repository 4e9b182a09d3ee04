import { useEffect, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { MAX_REFERENCE_CHARS } from '../../../shared/reference-limit.ts';
import { api } from '../../lib/api.ts';
import { overLimit } from '../../lib/over-limit.ts';
import { createSavedTexts } from '../../lib/saved-texts.ts';

interface Reference {
  /** As typed. */
  value: string;
  onValueChange: (value: string) => void;
  /** The field's error; null if the main process accepted the text. */
  problem: string | null;
  /** The error of saving it. */
  error: AppError | null;
  /** The saved reference text; null while the field holds a text that can't be saved. */
  scored: string | null;
}

/** The reference text of a recording, stored with its comparison. */
export function useReference(comparisonId: string, rowId: string, saved: string | null): Reference {
  const id = referenceId(comparisonId, rowId);
  const [typed, setTyped] = useState(() => referenceTexts.unsaved(id));
  const [known, setKnown] = useState(saved);
  const error = referenceTexts.useProblems((problems) => problems[id] ?? null);
  if (known !== saved) {
    // The main process has it now, or another window wrote a new one.
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

/** Reference texts by `referenceId`. */
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

/** The ID of a comparison has no space. */
export function referenceId(comparisonId: string, rowId: string): string {
  return `${comparisonId} ${rowId}`;
}
