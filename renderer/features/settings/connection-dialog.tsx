import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection, ConnectionInput, ConnectionTest } from '../../../shared/connection.ts';
import type { AppError } from '../../../shared/errors.ts';
import { cutEndpoint } from '../../../shared/pasted-connection.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { selectConnection } from '../../lib/connections.ts';
import { fieldMessage, getFields } from '../../lib/field-errors.ts';
import { queryClient } from '../../lib/query-client.ts';
import { announceAdded } from '../../run/form/use-connection.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ConnectionTestResult, testConnection } from './connection-test.tsx';
import { KeyFields, useKeyDraft } from './key-fields.tsx';

interface ConnectionDialogProps {
  /** If null, the dialog adds a connection. */
  connection: Connection | null;
  /** If false, the dialog shows the test result and stays open until the test succeeds. */
  testShownElsewhere?: boolean;
  onClose: () => void;
}

/** Saving a connection also selects and tests it. */
export function ConnectionDialog(props: ConnectionDialogProps) {
  const { connection, testShownElsewhere = false, onClose } = props;
  const [name, setName] = useState(connection?.name ?? '');
  const [baseUrl, setBaseUrl] = useState(connection?.baseUrl ?? '');
  const [removed, setRemoved] = useState<string | null>(null);
  const form = useSaveConnection(connection);
  const { known, keyDraft } = form;
  const isChanged =
    name !== (known?.name ?? '') ||
    baseUrl !== (known?.baseUrl ?? '') ||
    keyDraft.key !== '' ||
    keyDraft.intent === 'remove';

  const leave = () => {
    onClose();
    if (connection !== null || known === null) return;
    announceAdded(known.id);
  };

  const save = async () => {
    const saved = await form.save({ name: name.trim() || getHost(baseUrl), baseUrl });
    if (saved === null) return;
    setName(saved.name);
    setBaseUrl(saved.baseUrl);
    setRemoved(cutEndpoint(baseUrl).removed);
    const test = form.test(saved.id);
    if (!testShownElsewhere) {
      if (!(await test)) return;
      // Testing loaded the models, so select one before the panel appears.
      const queryKey = orpc.models.suggest.key({ input: { connectionId: saved.id } });
      await queryClient.invalidateQueries({ queryKey });
    }
    onClose();
    if (connection !== null) return;
    if (testShownElsewhere) announceAdded(saved.id);
    // The dialog restores focus first, so wait for the next frame.
    else requestAnimationFrame(() => focusNextStep(saved.id));
  };

  const nameError = fieldMessage(getFields(form.error), 'name');
  const baseUrlError = fieldMessage(getFields(form.error), 'baseUrl');
  const inFields = nameError !== null || baseUrlError !== null || form.keyProblem !== null;
  return (
    <FormDialog
      title={connection === null ? 'Add connection' : `Edit ${connection.name}`}
      closeLabel={form.found === null ? 'Cancel' : 'Done'}
      isChanged={isChanged}
      busy={form.busy !== null}
      error={form.error}
      isErrorInField={inFields}
      onSave={() => void save()}
      onClose={leave}
    >
      <TextField
        label="Base URL"
        value={baseUrl}
        onValueChange={(url) => {
          setBaseUrl(url);
          setRemoved(null);
        }}
        type="url"
        inputMode="url"
        monospace
        placeholder="https://gateway.example.com"
        help={describeCut(baseUrl, removed)}
        error={baseUrlError}
      />
      <KeyFields draft={keyDraft} known={known} baseUrl={baseUrl} problem={form.keyProblem} />
      <TextField
        label="Name"
        value={name}
        onValueChange={setName}
        placeholder={baseUrl.trim() === '' ? 'Staging' : getHost(baseUrl)}
        help={connection === null ? 'Optional. Defaults to the host name.' : undefined}
        error={nameError}
      />
      {form.busy === 'testing' && <Waiting role="status">Testing the connection…</Waiting>}
      {form.found !== null && <ConnectionTestResult found={form.found} failure={null} />}
    </FormDialog>
  );
}

/** `removed` is the endpoint path that saving removed from the URL. */
function describeCut(baseUrl: string, removed: string | null): string {
  const next = cutEndpoint(baseUrl);
  if (next.removed !== null) return `Saved as ${next.baseUrl}, without ${next.removed}.`;
  if (removed !== null) return `Removed ${removed}. Each request adds its own endpoint.`;
  return 'With or without /v1 at the end.';
}

/** Returns `Gateway` if the URL is incomplete. */
function getHost(baseUrl: string): string {
  const host = URL.parse(baseUrl.trim())?.host ?? '';
  return host === '' ? 'Gateway' : host.slice(0, 60);
}

/** Focuses the panel's text field, or the model picker if no model is selected yet. */
function focusNextStep(connectionId: string): void {
  const field =
    document.querySelector<HTMLElement>('main textarea[data-run-control]') ??
    document.querySelector<HTMLElement>('main textarea');
  field?.focus();
  announceAdded(connectionId);
}

/** Saves the name and base URL first, so they aren't lost if the API key is rejected. */
function useSaveConnection(connection: Connection | null) {
  const keyDraft = useKeyDraft();
  const best = useQuery(orpc.system.info.queryOptions()).data?.keyKeeping[0] ?? 'session';
  const [known, setKnown] = useState(connection);
  const [busy, setBusy] = useState<'saving' | 'testing' | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [found, setFound] = useState<ConnectionTest | null>(null);

  const saveAll = async (input: ConnectionInput) => {
    const { key, keeping, intent } = keyDraft;
    let saved =
      known === null
        ? await api.connections.create(input)
        : await api.connections.update({ ...input, id: known.id });
    setKnown(saved);
    if (key.trim() !== '') {
      saved = await api.connections.setKey({ id: saved.id, key, keeping: keeping ?? best });
    } else if (intent === 'remove') {
      saved = await api.connections.removeKey({ id: saved.id });
    }
    if (connection === null) await selectConnection(saved.id);
    setKnown(saved);
    keyDraft.choose('keep');
    return saved;
  };

  const whileBusy = async <Result,>(
    phase: 'saving' | 'testing',
    action: () => Promise<Result>,
  ): Promise<Result | null> => {
    setBusy(phase);
    setError(null);
    setFound(null);
    try {
      return await action();
    } catch (cause) {
      setError(toAppError(cause));
      return null;
    } finally {
      setBusy(null);
    }
  };

  return {
    save: (input: ConnectionInput) => whileBusy('saving', () => saveAll(input)),
    /** Resolves to true if the gateway can run requests. */
    async test(id: string) {
      const result = await whileBusy('testing', () => testConnection(id));
      if (result?.ok === false) setFound(result);
      if (result?.status === 401) keyDraft.choose('replace');
      return result?.ok === true;
    },
    busy,
    error,
    found,
    keyProblem: fieldMessage(getFields(error), 'key'),
    keyDraft,
    known,
  };
}
