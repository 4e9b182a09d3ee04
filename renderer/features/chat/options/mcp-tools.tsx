import { useState } from 'react';
import type { McpToolChoice } from '../../../../shared/conversation.ts';
import type { JsonValue } from '../../../../shared/json.ts';
import type { McpServer, McpTool } from '../../../../shared/mcp.ts';
import { api, orpc } from '../../../lib/api.ts';
import { updateOptimistically } from '../../../lib/query-client.ts';
import { createHref } from '../../../lib/route.ts';
import { useAttempt } from '../../../lib/use-attempt.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { SourceIcon } from '../../../ui/icons/actions.tsx';
import { useRovingList } from '../../../ui/roving-list.ts';
import { Switch } from '../../../ui/switch.tsx';
import styles from './conversation-options.module.css';
import { ToolSchemaDialog } from './tool-schema-dialog.tsx';

interface McpToolsProps {
  servers: readonly McpServer[];
  chosen: readonly McpToolChoice[];
  format: JsonValue | undefined;
  onChange: (chosen: McpToolChoice[]) => void;
}

/** Switches the tools of MCP servers on and off in this conversation. */
export function McpTools({ servers, ...rest }: McpToolsProps) {
  const enabled = servers.filter((server) => server.enabled);
  return (
    <section aria-label="MCP tools" className={`stack-8 ${styles.mcp}`}>
      <div className="row-8 between">
        <h3 className={styles.title}>MCP tools</h3>
        <a href={createHref('settings', 'mcp')} className="hint">
          MCP servers
        </a>
      </div>
      {enabled.length === 0 && (
        <p className="caption">No MCP servers. Add one in Settings to use its tools here.</p>
      )}
      {enabled.map((server) => (
        <ServerTools key={server.id} server={server} {...rest} />
      ))}
    </section>
  );
}

interface ServerToolsProps extends Omit<McpToolsProps, 'servers'> {
  server: McpServer;
}

function ServerTools({ server, chosen, format, onChange }: ServerToolsProps) {
  const { id, name, offers, status, error, approvals } = server;
  const connecting = useAttempt();
  const isOn = (tool: string) =>
    chosen.some((choice) => choice.serverId === id && choice.name === tool);
  const gone = chosen
    .filter(({ serverId, name: tool }) => serverId === id && !offers.tools.some(isNamed(tool)))
    .map((choice) => choice.name);
  const roving = useRovingList({
    keys: offers.tools.map((tool) => tool.name),
    currentKey: null,
    getItemText: (index) => offers.tools[index]?.name ?? '',
  });
  const connect = () =>
    connecting.attempt(async () => {
      const connected = await api.mcp.connect({ id });
      updateOptimistically<McpServer[]>(orpc.mcp.list.key(), (listed) =>
        listed.map((other) => (other.id === id ? connected : other)),
      );
    });
  const turn = (tool: string, on: boolean) => {
    const others = chosen.filter((choice) => choice.serverId !== id || choice.name !== tool);
    onChange(on ? [...others, { serverId: id, name: tool }] : others);
  };
  const usable = offers.tools.filter(({ problem }) => problem === null).map((tool) => tool.name);
  const isAllOn = usable.every(isOn);
  const turnAll = () => {
    const others = chosen.filter(
      ({ serverId, name: tool }) => serverId !== id || !usable.includes(tool),
    );
    onChange(
      isAllOn ? others : [...others, ...usable.map((tool) => ({ serverId: id, name: tool }))],
    );
  };
  return (
    <div className="stack-4">
      <div className="row-8">
        <span className="label">{name}</span>
        <span className="grow hint">{describeCount(usable, isOn)}</span>
        {usable.length > 1 && (
          <Button size="small" variant="quiet" onClick={turnAll}>
            {isAllOn ? 'Turn all off' : 'Turn all on'}
          </Button>
        )}
        <Button
          size="small"
          variant="quiet"
          busy={connecting.busy || status === 'starting'}
          onClick={() => void connect()}
        >
          {offers.tools.length === 0 ? 'Connect' : 'Refresh'}
        </Button>
      </div>
      {error !== null && <ErrorAlert compact error={error} />}
      {connecting.error !== null && <ErrorAlert compact error={connecting.error} />}
      <ul aria-label={`Tools of ${name}`} {...roving.listProps}>
        {offers.tools.map((tool, index) => (
          <McpToolRow
            key={`${tool.name} ${tool.problem}`}
            tool={tool}
            format={format}
            isForbidden={approvals[tool.name] === 'never'}
            tabIndex={roving.getTabIndex(index)}
            isOn={isOn(tool.name)}
            onSwitch={(on) => turn(tool.name, on)}
          />
        ))}
      </ul>
      {gone.map((tool) => (
        <div key={tool} className="row-8">
          <span className="grow caption">
            The server no longer offers <code>{tool}</code>.
          </span>
          <Button size="small" variant="quiet" onClick={() => turn(tool, false)}>
            Turn off
          </Button>
        </div>
      ))}
    </div>
  );
}

interface McpToolRowProps {
  tool: McpTool;
  format: JsonValue | undefined;
  /** True if the user never allows its calls. */
  isForbidden: boolean;
  tabIndex: 0 | -1;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
}

function McpToolRow({ tool, format, isForbidden, tabIndex, isOn, onSwitch }: McpToolRowProps) {
  const [showsSchema, setShowsSchema] = useState(false);
  const { name, title, description, problem, annotations } = tool;
  return (
    <li className={styles.tool} data-row={name}>
      <Switch
        label={`Use ${name}`}
        hideLabel
        tabIndex={tabIndex}
        checked={isOn && problem === null}
        disabled={problem !== null}
        onCheckedChange={onSwitch}
      />
      <div className={styles.toolText}>
        <code className={styles.toolName}>{name}</code>
        <p className="caption truncate">{problem ?? (description || title)}</p>
      </div>
      {isForbidden && <span className={styles.notice}>Never allowed</span>}
      {annotations.readOnly === true && <span className="fixed hint">Read-only</span>}
      {annotations.readOnly !== true && annotations.destructive === true && (
        <span className="fixed hint">Destructive</span>
      )}
      <IconButton
        label={`Schema of ${name}`}
        tabIndex={-1}
        icon={<SourceIcon />}
        onClick={() => setShowsSchema(true)}
      />
      {showsSchema && (
        <ToolSchemaDialog tool={tool} format={format} onClose={() => setShowsSchema(false)} />
      )}
    </li>
  );
}

const isNamed = (name: string) => (tool: McpTool) => tool.name === name;

function describeCount(usable: readonly string[], isOn: (name: string) => boolean): string {
  if (usable.length === 0) return 'No tools listed yet';
  return `${usable.filter(isOn).length} of ${usable.length} on`;
}
