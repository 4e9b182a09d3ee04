import { MAX_REFERENCE_CHARS } from '../../../shared/reference-limit.ts';
import { api } from '../../lib/api.ts';
import { createSavedTexts } from '../../lib/saved-texts.ts';
import { unsaved } from '../../lib/unsaved-texts.ts';

/** The reference texts of comparisons, by `referenceId`. */
export const referenceTexts = createSavedTexts({
  unsaved: unsaved.referenceTexts,
  afterMs: 400,
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
