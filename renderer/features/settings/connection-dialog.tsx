import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Connection, ConnectionDraft, ConnectionTest } from '../../../shared/connection.ts';
import { connectionPresets } from '../../../shared/connection-presets.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import type { ConnectionPart, ConnectionStart } from '../../lib/connections.ts';
import { findFieldMessage } from '../../lib/field-errors.ts';
import { isPaste } from '../../lib/is-paste.ts';
import { getPanelLabel } from '../../lib/panels.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { CheckIcon, WarningIcon } from '../../ui/icons/status.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { filterSuggestions, type Suggestion } from '../../ui/suggestions.ts';
import { TextField } from '../../ui/text-field.tsx';
import { ConnectionAdvanced } from './connection-advanced.tsx';
import styles from './connection-dialog.module.css';
import {
  applyConnectionPreset,
  type ConnectionFields,
  findPreset,
  getHost,
} from './connection-fields.ts';
import { type SavedConnection, useConnectionForm } from './connection-form.ts';
import { ConnectionTestResult } from './connection-test.tsx';
import { DailyCapField, useDailyCap } from './daily-cap.tsx';
import { fillPasted } from './fill-pasted.ts';
import { KeyFields } from './key-fields.tsx';

interface ConnectionDialogProps {
  /** If null, the dialog adds a connection. */
  connection: Connection | null;
  /** The part of the connection that the dialog opens at. */
  part?: ConnectionPart | null;
  /** Values from a pasted request; null if nothing was pasted. */
  start?: ConnectionStart | null;
  /** Called before the dialog closes. */
  onSaved?: (saved: SavedConnection) => void | Promise<void>;
  onClose: () => void;
}

/** Tests a connection before it is saved, and stays open if the test fails. */
export function ConnectionDialog(props: ConnectionDialogProps) {
  const { connection, part = null, start = null, onSaved, onClose } = props;
  const form = useConnectionForm(connection, (fields) => {
    const shown: ConnectionFields = part === 'key' ? { ...fields, keyIntent: 'replace' } : fields;
    return start === null ? shown : fillPasted(shown, connection === null, start);
  });
  const { fields, known, phase, result, fieldErrors, change } = form;

  const cap = useDailyCap(connection?.id ?? null);
  const capSaving = useAttempt();
  const [isClosing, setIsClosing] = useState(false);

  const save = async () => {
    const saved = await form.save();
    if (saved === null || !(await capSaving.attempt(() => cap.save(saved.connection.id)))) return;
    setIsClosing(true);
    await onSaved?.(saved);
    onClose();
  };

  return (
    <FormDialog
      title={connection === null ? 'Add connection' : `Edit ${connection.name}`}
      size="wide"
      saveLabel={form.savesAnyway ? 'Save anyway' : 'Save'}
      isChanged={form.isChanged || cap.isChanged}
      disabledReason={cap.problem}
      busy={phase !== null || capSaving.busy || isClosing}
      error={form.error ?? capSaving.error}
      isErrorInField={fieldErrors.some(isShown)}
      extraAction={
        phase === 'testing' ? (
          <Button onClick={form.stopTest}>Stop test</Button>
        ) : (
          <Button onClick={() => void form.test()}>Test</Button>
        )
      }
      onSave={() => void save()}
      onClose={onClose}
    >
      {connection === null && <PresetField fields={fields} onChange={change} />}
      <TextField
        label="Base URL"
        data-initial-focus={part === null || undefined}
        value={fields.baseUrl}
        onValueChange={(baseUrl, { event }) => {
          if (isPaste(event)) form.clean({ baseUrl });
          else change({ baseUrl });
        }}
        onBlur={() => form.clean()}
        type="url"
        inputMode="url"
        monospace
        placeholder="https://gateway.example.com"
        help={form.notes.url ?? 'With or without /v1 at the end.'}
        error={findFieldMessage(fieldErrors, 'baseUrl')}
      />
      <KeyFields
        fields={fields}
        known={known}
        note={form.notes.key}
        problem={findFieldMessage(fieldErrors, 'key')}
        isFirst={part === 'key'}
        onChange={change}
        onClean={form.clean}
      />
      <TextField
        label="Name"
        value={fields.name}
        onValueChange={(name) => change({ name })}
        placeholder={fields.baseUrl.trim() === '' ? 'Staging' : getHost(fields.baseUrl)}
        help={connection === null ? 'Optional. Defaults to the host name.' : undefined}
        error={findFieldMessage(fieldErrors, 'name')}
      />
      <DailyCapField cap={cap} />
      <ConnectionAdvanced
        fields={fields}
        errors={fieldErrors}
        startsOpen={part === 'values'}
        onChange={change}
      />
      {phase === 'testing' && <Waiting role="status">Testing the connection…</Waiting>}
      {result !== null && (
        <Outcome>
          <ConnectionTestResult
            found={withStep(result)}
            acceptAction={
              result.certificate !== null && (
                <AcceptButton
                  fingerprint={result.certificate.fingerprint}
                  onAccept={(acceptedFingerprint) => void form.test({ acceptedFingerprint })}
                />
              )
            }
          />
          {result.keyModel !== null && (
            <KeyTestAction
              key={JSON.stringify(form.draft)}
              draft={form.draft}
              model={result.keyModel}
            />
          )}
        </Outcome>
      )}
    </FormDialog>
  );
}

const SHOWN = ['baseUrl', 'key', 'name', 'caCertificate', 'clientCertificate', 'proxy'];

/** Returns true if a field shows the error. */
function isShown({ path }: FieldError): boolean {
  return SHOWN.includes(path[0] ?? '') || path.length > 1;
}

interface PresetFieldProps {
  fields: ConnectionFields;
  onChange: (fields: ConnectionFields) => void;
}

const NO_PRESET = 'None';
const presetNames: readonly Suggestion[] = [
  { value: NO_PRESET },
  ...connectionPresets
    .map(({ name, baseUrl }) => ({ value: name, detail: getHost(baseUrl) }))
    .toSorted((one, other) => one.value.localeCompare(other.value, 'en')),
];

function PresetField({ fields, onChange }: PresetFieldProps) {
  const preset = findPreset(fields);
  const panels = preset?.panels.map(getPanelLabel) ?? [];
  const works = `Works with ${new Intl.ListFormat('en-US').format(panels)}.`;
  const choose = ({ value }: Suggestion) => {
    const id = connectionPresets.find(({ name }) => name === value)?.id ?? '';
    onChange(applyConnectionPreset(fields, id));
  };
  return (
    <Combobox
      label="Preset"
      placeholder={NO_PRESET}
      value={preset?.name ?? NO_PRESET}
      suggestions={presetNames}
      match={(text) => filterSuggestions(presetNames, text)}
      // A preset is always chosen from the list, so typed text is only a search.
      typedLabel={() => ''}
      onValueChange={() => undefined}
      onChoose={choose}
      help={
        preset === null
          ? 'Fills the fields for a known gateway. Type to search.'
          : [works, preset.note].filter((words) => words !== null).join(' ')
      }
    />
  );
}

/** Adds the next step for this dialog, because errors of runs send the user to Settings. */
function withStep(test: ConnectionTest): ConnectionTest {
  const { error, certificate } = test;
  if (error === null) return test;
  const step =
    certificate !== null
      ? 'Add its CA certificate under Advanced, or accept this certificate.'
      : error.kind === 'unauthorized'
        ? 'Check the key, and how it is sent under Advanced.'
        : null;
  return step === null ? test : { ...test, error: { ...error, nextStep: step } };
}

/** Scrolls into view, because the fields above may fill the dialog. */
function Outcome({ children }: { children: ReactNode }) {
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => {
    outcome.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={outcome} className={styles.outcome}>
      {children}
    </div>
  );
}

interface KeyTestActionProps {
  draft: ConnectionDraft;
  model: string;
}

function KeyTestAction({ draft, model }: KeyTestActionProps) {
  const test = useMutation(orpc.connections.testKey.mutationOptions());
  const { data, error, isPending } = test;
  const failure = error === null ? (data?.error ?? null) : toAppError(error);
  return (
    <div className="stack-8">
      <p className="hint">
        Test key sends a request for one token to {model}, which may be billed.
      </p>
      <div>
        <Button size="small" disabled={isPending} onClick={() => test.mutate({ draft, model })}>
          Test key
        </Button>
      </div>
      {isPending && <Waiting role="status">Testing the key…</Waiting>}
      {failure !== null && (
        <ErrorAlert error={{ ...failure, message: data?.summary ?? failure.message }} />
      )}
      {data !== undefined && failure === null && (
        <p role="status" className="row-8">
          {data.ok ? <CheckIcon /> : <WarningIcon />}
          {data.summary}
        </p>
      )}
    </div>
  );
}

interface AcceptButtonProps {
  fingerprint: string;
  onAccept: (fingerprint: string) => void;
}

function AcceptButton({ fingerprint, onAccept }: AcceptButtonProps) {
  return (
    <div className="stack-4">
      <p className="hint">
        Compare the fingerprint with the gateway’s operator. Only this certificate is accepted, and
        only for this connection.
      </p>
      <Button size="small" className={styles.accept} onClick={() => onAccept(fingerprint)}>
        Accept this certificate
      </Button>
    </div>
  );
}
