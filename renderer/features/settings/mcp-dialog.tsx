import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { KeyKeeping } from '../../../shared/connection.ts';
import type { FieldError } from '../../../shared/errors.ts';
import type { McpServer } from '../../../shared/mcp.ts';
import { api, orpc } from '../../lib/api.ts';
import { fieldMessage, getFields } from '../../lib/field-errors.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlusIcon, TrashIcon } from '../../ui/icons/actions.tsx';
import { SecretField } from '../../ui/secret-field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import dialogStyles from './connection-dialog.module.css';
import { keepingLabels } from './key-fields.tsx';
import styles from './mcp.module.css';
import {
  createMcpValue,
  getDefaultName,
  getMcpFields,
  type McpFields,
  type McpValue,
  toMcpInput,
} from './mcp-form.ts';

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
  const errors = getFields(saving.error);
  const error = (...path: string[]) => fieldMessage(errors, ...path);

  async function save() {
    const isSaved = await saving.attempt(async () => {
      const saved = await api.mcp.save(toMcpInput(server?.id ?? null, fields));
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
            placeholder="npx"
            help="A program on your computer. It runs with your rights."
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
            help="Optional. Defaults to your home folder."
            error={error('transport', 'cwd')}
          />
          <Values
            noun="variable"
            title="Environment"
            values={fields.env}
            errors={within(errors, 'env')}
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
            errors={within(errors, 'headers')}
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
        placeholder={getDefaultName(fields) || 'files'}
        help="Models see it before each tool’s name."
        error={error('name')}
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
      label="Store values"
      value={shown}
      options={options.map((option) => ({ value: option, label: keepingLabels[option] }))}
      onValueChange={onChange}
      help={info?.keyringReason ?? undefined}
    />
  );
}

function within(errors: readonly FieldError[], field: string): FieldError[] {
  return errors
    .filter(({ path }) => path[0] === 'transport' && path[1] === field)
    .map(({ path, message }) => ({ path: path.slice(2), message }));
}

interface ValuesProps {
  noun: 'variable' | 'header';
  title: string;
  values: readonly McpValue[];
  /** Errors at `<index>, <field>`. */
  errors: readonly FieldError[];
  onChange: (values: readonly McpValue[]) => void;
}

/** Edits secret values, which are kept like keys and never shown again. */
function Values({ noun, title, values, errors, onChange }: ValuesProps) {
  const list = useRef<HTMLUListElement>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const edit = (id: string, changed: Partial<McpValue>) =>
    onChange(values.map((value) => (value.id === id ? { ...value, ...changed } : value)));
  const add = () => {
    onChange([...values, createMcpValue()]);
    // The row is added before the next frame.
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>('li:last-child input')?.focus(),
    );
  };
  return (
    <fieldset className={classNames(dialogStyles.group, 'stack-8')}>
      <legend className={classNames(dialogStyles.legend, 'label')}>{title}</legend>
      {values.length > 0 && (
        <ul ref={list} aria-label={title} className="stack-8">
          {values.map((value, index) => (
            <li key={value.id} className={styles.value}>
              <TextField
                label={`Name of ${noun} ${index + 1}`}
                hideLabel
                placeholder="Name"
                monospace
                value={value.name}
                onValueChange={(name) => edit(value.id, { name, isSaved: false })}
                error={fieldMessage(errors, String(index), 'name')}
              />
              <SecretField
                label={`Value of ${noun} ${index + 1}`}
                hideLabel
                noun="value"
                placeholder={value.isSaved ? 'Saved' : 'Value'}
                value={value.value}
                onValueChange={(text) => edit(value.id, { value: text })}
                error={fieldMessage(errors, String(index), 'value')}
              />
              <IconButton
                label={`Delete ${noun} ${index + 1}`}
                icon={<TrashIcon size={14} />}
                onClick={() => {
                  onChange(values.filter(({ id }) => id !== value.id));
                  adder.current?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="row-8">
        <Button ref={adder} size="small" icon={<PlusIcon size={14} />} onClick={add}>
          Add {noun}
        </Button>
        {values.length > 0 && <span className="hint">Values are kept like API keys.</span>}
      </div>
    </fieldset>
  );
}
