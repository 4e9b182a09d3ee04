import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { McpServer } from '../../../shared/mcp.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { offerUndo } from '../../lib/undo.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ImportIcon, PlusIcon } from '../../ui/icons/actions.tsx';
import { ToolIcon } from '../../ui/icons/status.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import connectionStyles from './connections.module.css';
import { McpDialog } from './mcp-dialog.tsx';
import { McpImportDialog } from './mcp-import-dialog.tsx';
import { McpServerRow } from './mcp-server-row.tsx';
import settingsStyles from './settings.module.css';

type Task = { kind: 'add' } | { kind: 'import' } | { kind: 'edit'; server: McpServer };

const undoKey = 'mcp-servers';

export function McpSection() {
  const list = useQuery(orpc.mcp.list.queryOptions());
  const [task, setTask] = useState<Task | null>(null);
  const [imported, setImported] = useState<string | null>(null);
  const removing = useAttempt();
  const servers = list.data ?? [];
  const error = removing.error ?? (list.error && toAppError(list.error));
  const closeTask = () => setTask(null);
  const start = (next: Task) => {
    setImported(null);
    setTask(next);
  };

  const remove = ({ id, name }: McpServer) =>
    void removing.attempt(async () => {
      const { deletionId } = await api.mcp.remove({ id });
      if (deletionId === null) return;
      offerUndo({
        message: `${name} deleted`,
        several: { words: '# MCP servers deleted' },
        place: undoKey,
        undo: deletionId,
      });
    });

  return (
    <>
      <p className={settingsStyles.intro}>
        MCP servers add tools for models, and prompts and files for your messages. Switch tools on
        in each conversation. Only add servers that you trust: a command runs with your permissions.
      </p>
      <ActionBar>
        <Button icon={<PlusIcon size={14} />} onClick={() => start({ kind: 'add' })}>
          Add server
        </Button>
        <Button icon={<ImportIcon size={14} />} onClick={() => start({ kind: 'import' })}>
          Import mcp.json
        </Button>
        <span role="status" className="caption">
          {imported}
        </span>
      </ActionBar>
      {error !== null && <ErrorAlert compact error={error} />}
      {list.isPending && <Spinner label="Loading MCP servers" />}
      {list.isSuccess && servers.length === 0 && (
        <EmptyState icon={<ToolIcon size={24} />} title="No MCP servers">
          Add one by its command or URL, or import those of Claude Desktop or VS Code.
        </EmptyState>
      )}
      {servers.length > 0 && (
        <ul className={settingsStyles.card} aria-label="MCP servers">
          {servers.map((server) => (
            <McpServerRow
              key={server.id}
              server={server}
              className={connectionStyles.connection}
              onEdit={() => start({ kind: 'edit', server })}
              onDelete={() => remove(server)}
            />
          ))}
        </ul>
      )}
      <UndoBars place={undoKey} className={settingsStyles.undo} />
      {task?.kind === 'import' && (
        <McpImportDialog
          names={servers.map(({ name }) => name)}
          onImported={(count) => setImported(`${pluralize(count, 'MCP server')} added.`)}
          onClose={closeTask}
        />
      )}
      {(task?.kind === 'add' || task?.kind === 'edit') && (
        <McpDialog server={task.kind === 'edit' ? task.server : null} onClose={closeTask} />
      )}
    </>
  );
}
