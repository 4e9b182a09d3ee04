import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { McpInsert, McpPrompt, McpServer } from '../../../../shared/mcp.ts';
import type { ContentPart } from '../../../../shared/operations/chat/message.ts';
import { writeTextFile } from '../../../../shared/operations/chat/text-file.ts';
import { api, orpc } from '../../../lib/api.ts';
import { hrefFor } from '../../../lib/route.ts';
import { useAttempt } from '../../../lib/use-attempt.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextField } from '../../../ui/text-field.tsx';

interface McpInsertDialogProps {
  onPart: (part: ContentPart) => void;
  onText: (text: string) => void;
  onClose: () => void;
}

const PROMPT = 'prompt ';
const RESOURCE = 'resource ';

/** Puts a prompt or a resource of an MCP server into the message. */
export function McpInsertDialog({ onPart, onText, onClose }: McpInsertDialogProps) {
  const list = useQuery(orpc.mcp.list.queryOptions());
  const servers = (list.data ?? []).filter(({ enabled }) => enabled);
  const [serverId, setServerId] = useState<string | null>(null);
  const [chosen, setChosen] = useState('');
  const [args, setArgs] = useState<Record<string, string>>({});
  const work = useAttempt();
  const server = servers.find(({ id }) => id === serverId) ?? servers[0];
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
      if (prompt === undefined) {
        put(await api.mcp.readResource({ id, uri: item.value.slice(RESOURCE.length) }));
      } else {
        put(await api.mcp.getPrompt({ id, name: prompt.name, args: getGiven(prompt, args) }));
      }
    });
    if (isAdded) onClose();
  }

  return (
    <Dialog
      open
      title="Add from MCP server"
      onClose={onClose}
      actions={
        <>
          {server !== undefined && (
            <Button
              busy={work.busy}
              onClick={() => void work.attempt(() => api.mcp.connect({ id: server.id }))}
            >
              {server.status === 'ready' ? 'Refresh' : 'Connect'}
            </Button>
          )}
          <Button
            variant="primary"
            busy={work.busy}
            disabledReason={getDisabledReason(item, prompt, args)}
            onClick={() => void add()}
          >
            Add
          </Button>
        </>
      }
    >
      <div className="stack-12">
        {list.isSuccess && server === undefined && (
          <p className="caption">
            No MCP servers. <a href={hrefFor('settings', 'mcp')}>Add one in Settings</a>.
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
          <p className="caption">{`${server.name} listed no prompts or resources yet.`}</p>
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
        {work.error !== null && <ErrorAlert compact error={work.error} />}
      </div>
    </Dialog>
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
      ...{ value: PROMPT + name, label: `Prompt: ${title ?? name}` },
      help: description || undefined,
    })),
    ...resources.map(({ uri, name, title, description }) => ({
      ...{ value: RESOURCE + uri, label: `Resource: ${title ?? name}` },
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
