import { useState } from 'react';
import { type AppError, appError } from '../../../shared/errors.ts';
import type { McpServerInput } from '../../../shared/mcp.ts';
import {
  fillMcpInputs,
  MAX_MCP_FILE_LENGTH,
  type McpInput,
  readMcpFile,
  stripComments,
} from '../../../shared/mcp-import.ts';
import { api } from '../../lib/api.ts';
import { findJsonProblem } from '../../lib/format-json-error.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { FileButton } from '../../ui/file-button.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SecretField } from '../../ui/secret-field.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './mcp.module.css';

interface McpImportDialogProps {
  /** The names of existing servers; a server whose name is taken gets a number. */
  names: readonly string[];
  onImported: (count: number) => void;
  onClose: () => void;
}

/** Adds servers from a configuration file after the user reviews them. */
export function McpImportDialog({ names, onImported, onClose }: McpImportDialogProps) {
  const [text, setText] = useState('');
  const [values, setValues] = useState<Record<string, string>>({});
  const [fileError, setFileError] = useState<AppError | null>(null);
  /** The existing names, which don't include those that this dialog adds. */
  const [taken] = useState(names);
  /** The servers that were added before one failed. */
  const [added, setAdded] = useState<readonly string[]>([]);
  const adding = useAttempt();
  const found = text.trim() === '' ? null : readMcpFile(text);
  const servers = nameServers(found?.servers ?? [], taken).filter(
    ({ name }) => !added.includes(name),
  );
  const inputs = found?.inputs ?? [];
  const getValue = ({ id, defaultValue }: McpInput) => values[id] ?? defaultValue;

  async function readFile([file]: File[]) {
    if (file === undefined) return;
    const isTooLarge = file.size > MAX_MCP_FILE_LENGTH;
    setFileError(isTooLarge ? tooLarge : null);
    if (!isTooLarge) setText(await file.text());
  }

  async function add() {
    const saved = [...added];
    const given = Object.fromEntries(inputs.map((input) => [input.id, getValue(input)]));
    const isAdded = await adding.attempt(async () => {
      for (const server of servers) {
        await api.mcp.save(fillMcpInputs(server, given));
        saved.push(server.name);
      }
    });
    setAdded(saved);
    if (saved.length > 0) onImported(saved.length);
    if (isAdded) onClose();
  }

  const problem =
    text.trim() !== '' && found === null
      ? (findJsonProblem(stripComments(text))?.message ?? noServers)
      : null;
  const missing = inputs.find((input) => getValue(input).trim() === '');
  const toEnter = missing === undefined ? null : `Enter “${getLabel(missing)}” first.`;
  const disabledReason = servers.length === 0 ? 'Paste or choose a file with servers.' : toEnter;
  return (
    <FormDialog
      title="Import MCP servers"
      size="wide"
      saveLabel={servers.length === 0 ? 'Add' : `Add ${pluralize(servers.length, 'server')}`}
      isChanged={text.trim() !== ''}
      disabledReason={disabledReason}
      busy={adding.busy}
      error={adding.error ?? fileError}
      onSave={() => void add()}
      onClose={onClose}
    >
      <div className="row-8">
        <span className="grow hint">
          The mcp.json of VS Code, or Claude Desktop’s configuration.
        </span>
        <FileButton
          size="small"
          inputLabel="MCP configuration to import"
          accept="application/json,.json,.jsonc"
          onFiles={(files) => void readFile(files)}
        >
          Choose file
        </FileButton>
      </div>
      <TextArea
        label="Configuration"
        data-initial-focus
        monospace
        rows={8}
        maxRows={16}
        value={text}
        onValueChange={setText}
        placeholder={'{ "mcpServers": { … } }'}
        error={problem}
      />
      {inputs.map((input) => {
        const { id, isSecret } = input;
        const field = {
          label: getLabel(input),
          value: getValue(input),
          onValueChange: (value: string) => setValues({ ...values, [id]: value }),
        };
        return isSecret ? (
          <SecretField key={id} noun={field.label} {...field} />
        ) : (
          <TextField key={id} {...field} />
        );
      })}
      {found !== null && (
        <ul aria-label="Servers to add" className={styles.found}>
          {servers.map((server) => (
            <li key={server.name} className="stack-4">
              <span className="label">{server.name}</span>
              <span className="mono caption">{describe(server)}</span>
            </li>
          ))}
          {found.problems.map((words) => (
            <li key={words} className="caption">
              Skipped {words}
            </li>
          ))}
        </ul>
      )}
    </FormDialog>
  );
}

const getLabel = ({ id, description }: McpInput) => description || id;

/** Lists only the names of secret values. */
function describe({ transport }: McpServerInput): string {
  const isCommand = transport.type === 'stdio';
  const target = isCommand ? [transport.command, ...transport.args].join(' ') : transport.url;
  const secrets = isCommand ? transport.env : transport.headers;
  const listed = secrets.map(({ name }) => name).join(', ');
  return listed === '' ? target : `${target} · with ${listed}`;
}

function nameServers(
  servers: readonly McpServerInput[],
  taken: readonly string[],
): McpServerInput[] {
  const names = new Set(taken);
  return servers.map((server) => {
    let { name } = server;
    for (let number = 2; names.has(name); number += 1) name = `${server.name} ${number}`;
    names.add(name);
    return { ...server, name };
  });
}

const noServers = 'No MCP servers found. Paste JSON with “mcpServers” or “servers”.';

const tooLarge = appError(
  'file',
  'The file is too large.',
  'Choose the mcp.json of VS Code or Claude Desktop.',
);
