import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { appError } from '../../../../shared/errors.ts';
import type { McpInsert, McpPrompt, McpServer } from '../../../../shared/mcp.ts';
import type { ContentPart } from '../../../../shared/operations/chat/message.ts';
import { writeTextFile } from '../../../../shared/operations/chat/text-file.ts';
import { api, orpc } from '../../../lib/api.ts';
import { PageError } from '../../../lib/page-failure.ts';
import { createHref } from '../../../lib/route.ts';
import { useAttempt } from '../../../lib/use-attempt.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextField } from '../../../ui/text-field.tsx';

interface McpInsertDialogProps {
  onPart: (part: ContentPart) => void;
  onText: (text: string) => void;
  onClose: () => void;
}

const PROMPT = 'prompt ';
const RESOURCE = 'resource ';

/** Inserts a prompt or resource from an MCP server into the message. */
export function McpInsertDialog({ onPart, onText, onClose }: McpInsertDialogProps) {
  const list = useQuery(orpc.mcp.list.queryOptions());
  const servers = (list.data ?? []).filter(({ enabled }) => enabled);
  const [serverId, setServerId] = useState<string | null>(null);
  const [chosen, setChosen] = useState('');
  const [args, setArgs] = useState<Record<string, string>>({});
  const work = useAttempt();
  const server =
    servers.find(({ id }) => id === serverId) ??
    servers.find((listed) => listItems(listed).length > 0) ??
    servers[0];
  const options = server === undefined ? [] : listItems(server);
  const item = options.find(({ value }) => value === chosen) ?? options[0];
  const prompt = item?.value.startsWith(PROMPT)
    ? server?.offers.prompts.find(({ name }) => PROMPT + name === item.value)
    : undefined;

  function put({ parts, files }: McpInsert): void {
    const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    if (texts.length > 0) onText(texts.join('\n\n'));
    for (const part of parts) if (part.type !== 'text') onPart(part);
    for (const file of files) onPart({ type: 'text', text: writeTextFile(file) });
  }

  async function add() {
    if (server === undefined || item === undefined) return;
    const { id } = server;
    const isAdded = await work.attempt(async () => {
      const insert =
        prompt === undefined
          ? await api.mcp.readResource({ id, uri: item.value.slice(RESOURCE.length) })
          : await api.mcp.getPrompt({ id, name: prompt.name, args: getGiven(prompt, args) });
      if (insert.parts.length === 0 && insert.files.length === 0) {
        throw new PageError(nothingToAdd(server.name));
      }
      put(insert);
    });
    if (isAdded) onClose();
  }

  return (
    <FormDialog
      title="Add from MCP server"
      saveLabel="Add"
      extraAction={
        server !== undefined && (
          <Button
            busy={work.busy}
            onClick={() => void work.attempt(() => api.mcp.connect({ id: server.id }))}
          >
            {server.status === 'ready' ? 'Refresh' : 'Connect'}
          </Button>
        )
      }
      busy={work.busy}
      disabledReason={getDisabledReason(item, prompt, args)}
      error={work.error}
      onSave={() => void add()}
      onClose={onClose}
    >
      {list.isSuccess && server === undefined && (
        <p className="caption">
          No MCP servers. <a href={createHref('settings', 'mcp')}>Add one in Settings</a>.
        </p>
      )}
      {server !== undefined && (
        <Select
          label="Server"
          value={server.id}
          options={servers.map(({ id, name }) => ({ value: id, label: name }))}
          onValueChange={setServerId}
        />
      )}
      {server !== undefined && item === undefined && (
        <p className="caption">
          {server.status === 'ready'
            ? `${server.name} has no prompts or resources.`
            : `${server.name} listed no prompts or resources yet.`}
        </p>
      )}
      {item !== undefined && (
        <Select
          label="Prompt or resource"
          value={item.value}
          options={options}
          help={item.help}
          onValueChange={setChosen}
        />
      )}
      {prompt?.arguments.map(({ name, description, required }) => (
        <TextField
          key={`${prompt.name} ${name}`}
          label={name}
          value={args[name] ?? ''}
          onValueChange={(value) => setArgs({ ...args, [name]: value })}
          help={[required ? '' : 'Optional.', description].join(' ').trim() || undefined}
        />
      ))}
      {server?.error && <ErrorAlert compact error={server.error} />}
    </FormDialog>
  );
}

interface Item {
  value: string;
  label: string;
  help: string | undefined;
}

function listItems({ offers: { prompts, resources } }: McpServer): Item[] {
  return [
    ...prompts.map(({ name, title, description }) => ({
      value: PROMPT + name,
      label: `Prompt: ${title ?? name}`,
      help: description || undefined,
    })),
    ...resources.map(({ uri, name, title, description }) => ({
      value: RESOURCE + uri,
      label: `Resource: ${title ?? name}`,
      help: description || uri,
    })),
  ];
}

function getGiven({ arguments: known }: McpPrompt, args: Record<string, string>) {
  const given = known.flatMap(({ name }) => {
    const value = args[name] ?? '';
    return value === '' ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}

function getDisabledReason(
  item: Item | undefined,
  prompt: McpPrompt | undefined,
  args: Record<string, string>,
): string | null {
  if (item === undefined) return 'Connect to a server with prompts or resources first.';
  const missing = prompt?.arguments.find(({ name, required }) => required && !args[name]?.trim());
  return missing === undefined ? null : `Enter ${missing.name} first.`;
}

const nothingToAdd = (server: string) =>
  appError('invalid-request', `${server} returned nothing to add.`, 'Choose another one.');
