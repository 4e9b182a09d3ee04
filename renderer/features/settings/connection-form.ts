import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type {
  Connection,
  ConnectionDraft,
  ConnectionInput,
  ConnectionTest,
} from '../../../shared/connection.ts';
import { type AppError, appError, type FieldError } from '../../../shared/errors.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { selectConnection } from '../../lib/connections.ts';
import { getFieldErrors } from '../../lib/field-errors.ts';
import { queryClient } from '../../lib/query-client.ts';
import {
  type ConnectionFields,
  cleanKey,
  cleanUrl,
  createFields,
  findPlaceholder,
  getHost,
  toDraft,
  toOptionsInput,
} from './connection-fields.ts';

/** The result for one draft; `error` is set if the test couldn't be sent. */
interface Tested {
  draft: string;
  result: ConnectionTest | null;
  error: AppError | null;
}

export interface SavedConnection {
  connection: Connection;
  /** False if its test failed, so that runs keep the connection that works. */
  isSelected: boolean;
}

const identify = (draft: ConnectionDraft) => JSON.stringify(draft);

/** Edits, tests and saves a connection. Saving first tests anything untested. */
export function useConnectionForm(
  connection: Connection | null,
  start: (fields: ConnectionFields) => ConnectionFields = (fields) => fields,
) {
  const [initial] = useState(() => createFields(connection));
  const [fields, setFields] = useState<ConnectionFields>(() => start(initial));
  const [notes, setNotes] = useState<{ url: string | null; key: string | null }>(noNotes);
  // A connection that was saved without its key, because storing the key failed.
  const [known, setKnown] = useState(connection);
  const [phase, setPhase] = useState<'testing' | 'saving' | null>(null);
  const [tested, setTested] = useState<Tested | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const running = useRef<AbortController | null>(null);
  const best = useQuery(orpc.system.info.queryOptions()).data?.keyKeeping[0] ?? 'session';
  const draft = toDraft(fields, known);
  const current = tested?.draft === identify(draft) ? tested : null;

  function change(changed: Partial<ConnectionFields>) {
    setFields((before) => ({ ...before, ...changed }));
    if ('baseUrl' in changed) setNotes((before) => ({ ...before, url: null }));
    if ('key' in changed) setNotes((before) => ({ ...before, key: null }));
  }

  /** Cleans pasted text, even if it is still being edited. */
  function clean(changed: Partial<ConnectionFields> = {}): ConnectionFields {
    const url = cleanUrl({ ...fields, ...changed });
    const key = cleanKey(url.fields);
    setFields(key.fields);
    setNotes((before) => ({ url: url.note ?? before.url, key: key.note ?? before.key }));
    return key.fields;
  }

  /** Resolves to null if it was stopped. */
  async function runTest(now: ConnectionFields): Promise<Tested | null> {
    const sent = toDraft(now, known);
    const controller = new AbortController();
    running.current = controller;
    setPhase('testing');
    setError(null);
    setTested(null);
    let found: Tested = { draft: identify(sent), result: null, error: null };
    try {
      const result = await api.connections.testDraft(sent, { signal: controller.signal });
      found = { ...found, result };
    } catch (cause) {
      found = { ...found, error: toAppError(cause) };
    }
    if (controller.signal.aborted) return null;
    setPhase(null);
    setTested(found);
    setError(found.error);
    if (found.result?.status === 401 && now.keyIntent === 'keep') change({ keyIntent: 'replace' });
    return found;
  }

  function stopTest() {
    running.current?.abort();
    setPhase(null);
  }

  /** Returns null and shows an error if the URL still contains a preset's placeholder. */
  function checkFields(changed: Partial<ConnectionFields> = {}): ConnectionFields | null {
    const cleaned = clean(changed);
    const placeholder = findPlaceholder(cleaned);
    if (placeholder === null) return cleaned;
    const message = `Replace ${placeholder} with your own.`;
    const at = [{ path: ['baseUrl'], message }];
    setError(appError('invalid-request', message, '', { fields: at }));
    return null;
  }

  async function test(changed: Partial<ConnectionFields> = {}): Promise<void> {
    const cleaned = checkFields(changed);
    if (cleaned !== null) await runTest(cleaned);
  }

  /** Resolves to null if nothing was saved, because the test or saving failed. */
  async function save(): Promise<SavedConnection | null> {
    const cleaned = checkFields();
    if (cleaned === null) return null;
    const next = identify(toDraft(cleaned, known));
    const isTestedBefore =
      connection !== null && next === identify(toDraft(initial, known ?? connection));
    let found = tested?.draft === next && canSaveAnyway(tested) ? tested : null;
    if (found === null && !isTestedBefore) {
      found = await runTest(cleaned);
      if (found?.result?.ok !== true) return null;
    }
    return store(cleaned, found);
  }

  async function store(
    now: ConnectionFields,
    found: Tested | null,
  ): Promise<SavedConnection | null> {
    setPhase('saving');
    setError(null);
    try {
      const saved = await saveAll(now);
      // The list shows the test result of the saved draft.
      const queryKey = orpc.connections.test.queryKey({ input: { id: saved.id } });
      if (found?.result) queryClient.setQueryData(queryKey, found.result);
      const isSelected = connection === null && found?.result?.error === null;
      if (isSelected) await selectConnection(saved.id);
      return { connection: saved, isSelected };
    } catch (cause) {
      setError(toAppError(cause));
      return null;
    } finally {
      setPhase(null);
    }
  }

  /** Saves the connection first, so that it isn't lost if storing the key fails. */
  async function saveAll(now: ConnectionFields): Promise<Connection> {
    const { key, keeping, keyIntent, baseUrl } = now;
    const name = now.name.trim() || getHost(baseUrl);
    const input: ConnectionInput = { name, baseUrl, options: toOptionsInput(now) };
    let saved =
      known === null
        ? await api.connections.create({ ...input, keeping: keeping ?? best })
        : await api.connections.update({
            ...input,
            id: known.id,
            ...(keeping !== null && { keeping }),
          });
    setKnown(saved);
    if (key.trim() !== '') {
      saved = await api.connections.setKey({ id: saved.id, key, keeping: keeping ?? best });
    } else if (keyIntent === 'remove') {
      saved = await api.connections.removeKey({ id: saved.id });
    }
    return saved;
  }

  return {
    fields,
    draft,
    notes,
    known,
    phase,
    change,
    clean,
    test,
    stopTest,
    save,
    /** The test result for the current fields; null if they changed since the test. */
    result: current?.result ?? null,
    savesAnyway: current !== null && canSaveAnyway(current) && current.result?.ok !== true,
    error,
    fieldErrors: getFieldErrors(error).map(withoutOptions),
    isChanged: JSON.stringify(withoutChoices(fields)) !== JSON.stringify(initial),
  };
}

/** Resets choices that don't affect the connection, such as the preset. */
function withoutChoices(fields: ConnectionFields): ConnectionFields {
  const isIdle = fields.key === '' && fields.keyIntent === 'replace';
  return { ...fields, presetId: '', keyIntent: isIdle ? 'keep' : fields.keyIntent };
}

const noNotes = { url: null, key: null };

/** Returns false if the error has fields, which the user must fix first. */
function canSaveAnyway({ result, error }: Tested): boolean {
  return result !== null || getFieldErrors(error).length === 0;
}

/** Removes a leading `options` from the error's path. */
function withoutOptions({ path, message }: FieldError): FieldError {
  return { path: path[0] === 'options' ? path.slice(1) : path, message };
}
