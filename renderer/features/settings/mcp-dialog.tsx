import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeyKeeping } from '../../../shared/connection.ts';
import type { FieldError } from '../../../shared/errors.ts';
import type { McpServer } from '../../../shared/mcp.ts';
import { api, orpc } from '../../lib/api.ts';
import { keepingLabels } from '../../lib/connections.ts';
import { findFieldMessage, getFieldErrors } from '../../lib/field-errors.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SecretField } from '../../ui/secret-field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import {
  createMcpValue,
  getDefaultName,
  getMcpFields,
  isFilled,
  type McpFields,
  type McpValue,
  moveArguments,
  splitCommandLine,
  toMcpInput,
} from './mcp-form.ts';
import { ValueRows } from './value-rows.tsx';

interface McpDialogProps {
  /** If null, the dialog adds a server. */
  server: McpServer | null;
  onClose: () => void;
}

const types = [
  { value: 'stdio', label: 'Command' },
  { value: 'http', label: 'URL' },
] as const;

/** Saves the server, then connects to it; a failure is shown in its row. */
export function McpDialog({ server, onClose }: McpDialogProps) {
  const [initial] = useState(() => getMcpFields(server));
  const [fields, setFields] = useState(initial);
  const saving = useAttempt();
  const change = (changed: Partial<McpFields>) => setFields({ ...fields, ...changed });
  const errors = getFieldErrors(saving.error);
  const defaultName = getDefaultName(fields);
  const error = (...path: string[]) => findFieldMessage(errors, ...path);

  async function save() {
    const isSaved = await saving.attempt(async () => {
      const saved = await api.mcp.save(toMcpInput(server?.id ?? null, moveArguments(fields)));
      // The row shows the progress and the outcome.
      if (saved.enabled) void api.mcp.connect({ id: saved.id }).catch(() => undefined);
    });
    if (isSaved) onClose();
  }

  return (
    <FormDialog
      title={server === null ? 'Add MCP server' : `Edit ${server.name}`}
      size="wide"
      isChanged={fields !== initial}
      busy={saving.busy}
      error={saving.error}
      isErrorInField={errors.some(({ path }) => path[0] === 'name' || path[0] === 'transport')}
      onSave={() => void save()}
      onClose={onClose}
    >
      <Segmented
        label="Kind of server"
        value={fields.type}
        options={types}
        onValueChange={(type) => change({ type })}
      />
      {fields.type === 'stdio' ? (
        <>
          <TextField
            label="Command"
            data-initial-focus
            monospace
            value={fields.command}
            onValueChange={(command) => change({ command })}
            onBlur={() => setFields(moveArguments(fields))}
            onPaste={(event) => {
              const parts = splitCommandLine(event.clipboardData.getData('text/plain'));
              if (parts === null || fields.command !== '') return;
              event.preventDefault();
              change(parts);
            }}
            placeholder="npx"
            help="A program on your computer. It runs with your permissions."
            error={error('transport', 'command')}
          />
          <TextArea
            label="Arguments"
            monospace
            autoGrow
            rows={3}
            value={fields.args}
            onValueChange={(args) => change({ args })}
            placeholder={'-y\n@modelcontextprotocol/server-everything'}
            help="One per line."
            error={error('transport', 'args')}
          />
          <TextField
            label="Working folder"
            monospace
            value={fields.cwd}
            onValueChange={(cwd) => change({ cwd })}
            placeholder="~"
            help="Optional. Defaults to your home folder."
            error={error('transport', 'cwd')}
          />
          <Values
            noun="variable"
            title="Environment"
            values={fields.env}
            errors={listErrorsWithin(errors, 'env', fields.env)}
            onChange={(env) => change({ env })}
          />
        </>
      ) : (
        <>
          <TextField
            label="URL"
            data-initial-focus
            type="url"
            inputMode="url"
            monospace
            value={fields.url}
            onValueChange={(url) => change({ url })}
            placeholder="https://mcp.example.com/mcp"
            help="The address of a streamable HTTP server. Sign in after saving if it asks."
            error={error('transport', 'url')}
          />
          <Values
            noun="header"
            title="Headers"
            values={fields.headers}
            errors={listErrorsWithin(errors, 'headers', fields.headers)}
            onChange={(headers) => change({ headers })}
          />
        </>
      )}
      <KeepingField
        keeping={fields.keeping}
        server={server}
        hasValues={(fields.type === 'stdio' ? fields.env : fields.headers).length > 0}
        onChange={(keeping) => change({ keeping })}
      />
      <TextField
        label="Name"
        value={fields.name}
        onValueChange={(name) => change({ name })}
        placeholder={defaultName || 'files'}
        help="Prefix for the tool names that models see."
        // A missing command or URL leaves no default name, and is already marked as an error.
        error={fields.name.trim() === '' && defaultName === '' ? null : error('name')}
      />
      <Switch
        label="On"
        checked={fields.enabled}
        onCheckedChange={(enabled) => change({ enabled })}
      />
    </FormDialog>
  );
}

interface KeepingFieldProps {
  keeping: KeyKeeping | null;
  server: McpServer | null;
  hasValues: boolean;
  onChange: (keeping: KeyKeeping) => void;
}

function KeepingField({ keeping, server, hasValues, onChange }: KeepingFieldProps) {
  const info = useQuery(orpc.system.info.queryOptions()).data;
  const options = info?.keyKeeping ?? [];
  const saved = options.find((option) => option === server?.protection);
  const shown = keeping ?? saved ?? options[0];
  if (!hasValues || shown === undefined) return null;
  return (
    <Select
      label="Keep secret values in"
      value={shown}
      options={options.map((option) => ({ value: option, label: keepingLabels[option] }))}
      onValueChange={onChange}
      help={info?.keyringReason ?? undefined}
    />
  );
}

/** Maps error indexes to rows, because rows without a name and a value aren't sent. */
function listErrorsWithin(
  errors: readonly FieldError[],
  field: 'env' | 'headers',
  values: readonly McpValue[],
): FieldError[] {
  const sent = values.flatMap((value, row) => (isFilled(value) ? [row] : []));
  return errors
    .filter(({ path }) => path[0] === 'transport' && path[1] === field)
    .map(({ path: [, , index, ...rest], message }) => ({
      path: [String(sent[Number(index)]), ...rest],
      message,
    }));
}

interface ValuesProps {
  noun: 'variable' | 'header';
  title: string;
  values: readonly McpValue[];
  errors: readonly FieldError[];
  onChange: (values: readonly McpValue[]) => void;
}

/** Edits secret values, which are kept like keys and never shown again. */
function Values({ values, ...rows }: ValuesProps) {
  return (
    <ValueRows
      {...rows}
      help="Values are kept like API keys."
      rows={values}
      createRow={createMcpValue}
      onName={(value, name) => ({ ...value, name, isSaved: false })}
    >
      {(value, { noun, error, onChange }) => (
        <SecretField
          label={`Value of ${noun}`}
          hideLabel
          noun={`value of ${noun}`}
          placeholder={value.isSaved ? 'Saved' : 'Value'}
          value={value.value}
          onValueChange={(text) => onChange({ ...value, value: text })}
          error={error}
        />
      )}
    </ValueRows>
  );
}
