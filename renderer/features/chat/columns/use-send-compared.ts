import { useCallback } from 'react';
import { importPart } from '../../../lib/import-part.ts';
import type { ComposerForm } from '../composer/composer-form.ts';
import type { ColumnsTurn } from './column-actions.ts';

interface Columns {
  form: ComposerForm;
  comparisonId: string | null;
  lastId: string | null;
  /** The form's own, which variants may follow. */
  connectionId: string | null;
  model: string;
}

type Turn = Omit<ColumnsTurn, 'form' | 'comparisonId' | 'lastId' | 'target'>;

/** Sends to every column; the same function until where it goes changes. */
export function useSendCompared({ form, comparisonId, lastId, connectionId, model }: Columns) {
  return useCallback(
    async (turn: Turn) => {
      const { sendToColumns } = await importPart(() => import('./column-actions.ts'));
      const request = model === '' ? {} : { model };
      const target = connectionId === null ? null : { connectionId, request };
      return sendToColumns({ ...turn, form, comparisonId, lastId, target });
    },
    [form, comparisonId, lastId, connectionId, model],
  );
}
