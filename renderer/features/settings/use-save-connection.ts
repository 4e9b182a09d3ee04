import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection, ConnectionInput } from '../../../shared/connection.ts';
import type { AppError } from '../../../shared/errors.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { selectConnection } from '../../lib/connections.ts';
import { fieldMessage, fieldsOf } from '../../lib/field-errors.ts';
import { type KeyDraft, useKeyDraft } from './use-key-draft.ts';

export interface SaveConnection {
  save: (input: ConnectionInput) => void;
  isSaving: boolean;
  error: AppError | null;
  /** The sentence for the key's field. */
  keyProblem: string | null;
  keyDraft: KeyDraft;
  /** The connection as main has it by now. */
  known: Connection | null;
}

/** Saves name and base URL first, then the key; what is saved stays saved when the key is refused. */
export function useSaveConnection(
  connection: Connection | null,
  onSaved: () => void,
): SaveConnection {
  const keyDraft = useKeyDraft();
  const best = useQuery(orpc.system.info.queryOptions()).data?.keyKeeping[0] ?? 'session';
  const [known, setKnown] = useState(connection);
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<AppError | null>(null);

  const saveAll = async (input: ConnectionInput) => {
    const { key, keeping, intent } = keyDraft;
    const saved =
      known === null
        ? await api.connections.create(input)
        : await api.connections.update({ ...input, id: known.id });
    setKnown(saved);
    if (key.trim() !== '') {
      await api.connections.setKey({ id: saved.id, key, keeping: keeping ?? best });
    } else if (intent === 'remove') {
      await api.connections.removeKey({ id: saved.id });
    }
    if (connection === null) await selectConnection(saved.id);
  };

  const save = async (input: ConnectionInput) => {
    setSaving(true);
    setError(null);
    try {
      await saveAll(input);
      keyDraft.clear();
      onSaved();
    } catch (cause) {
      setError(toAppError(cause));
    } finally {
      setSaving(false);
    }
  };

  return {
    save: (input) => void save(input),
    isSaving,
    error,
    keyProblem: fieldMessage(fieldsOf(error), 'key'),
    keyDraft,
    known,
  };
}
