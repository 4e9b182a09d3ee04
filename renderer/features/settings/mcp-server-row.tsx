import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { assertNever } from '../../../shared/assert-never.ts';
import type { McpServer, McpStatus, McpTool, McpTransport } from '../../../shared/mcp.ts';
import { api, orpc } from '../../lib/api.ts';
import { formatCount, pluralize } from '../../lib/format-quantity.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { MessagesDialog } from '../../run/mcp/messages-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { EditIcon, InspectIcon, TrashIcon } from '../../ui/icons/actions.tsx';
import { KeyIcon } from '../../ui/icons/status.tsx';
import { JsonView } from '../../ui/json-view/json-view.tsx';
import { type StatusLabel, StatusMark } from '../../ui/status-mark.tsx';
import dialogStyles from './connection-dialog.module.css';
import connectionStyles from './connections.module.css';
import styles from './mcp.module.css';
import { McpTry } from './mcp-try.tsx';

interface McpServerRowProps {
  server: McpServer;
  className: string | undefined;
  onEdit: () => void;
  onDelete: () => void;
}

export function McpServerRow({ server, className, onEdit, onDelete }: McpServerRowProps) {
  const { id, name, enabled, status, error, offers, approvals } = server;
  const work = useAttempt();
  const [showsMessages, setShowsMessages] = useState(false);
  const signIn = async () => {
    // A tab that opens after the request would be blocked as a pop-up.
    const tab = isDesktop ? null : window.open('about:blank');
    try {
      const { url } = await api.mcp.signIn({ id });
      if (tab === null) await api.system.openExternal({ url });
      else {
        tab.opener = null;
        tab.location.href = url;
      }
    } catch (cause) {
      tab?.close();
      throw cause;
    }
  };
  const isSignInNeeded = status === 'sign-in' || status === 'signing-in';
  const isBusy = work.busy || status === 'starting';
  const address = describeTransport(server.transport);
  const approved = Object.entries(approvals).filter(([, approval]) => approval !== 'ask');
  return (
    <li className={classNames(className, 'stack-8')} aria-label={name}>
      <div className={connectionStyles.line}>
        <div className={connectionStyles.about}>
          <p className={classNames(connectionStyles.name, 'row-8')}>
            {name}
            <StatusMark {...(enabled ? statusLabels[status] : turnedOff)} />
          </p>
          <p className={classNames(connectionStyles.url, 'truncate mono')} title={address}>
            {address}
          </p>
          <SecretsLine server={server} />
        </div>
        <div className={connectionStyles.actions}>
          {enabled && isSignInNeeded && (
            <Button size="small" onClick={() => void work.attempt(signIn)}>
              {status === 'sign-in' ? 'Sign in' : 'Sign in again'}
            </Button>
          )}
          {server.signedIn && (
            <Button
              size="small"
              variant="quiet"
              onClick={() => void work.attempt(() => api.mcp.signOut({ id }))}
            >
              Sign out
            </Button>
          )}
          {enabled && status !== 'signing-in' && (
            <Button
              size="small"
              variant="quiet"
              busy={isBusy}
              onClick={() => void work.attempt(() => api.mcp.connect({ id }))}
            >
              {status === 'ready' ? 'Reconnect' : 'Connect'}
            </Button>
          )}
          {(status === 'ready' || status === 'starting' || status === 'signing-in') && (
            <Button
              size="small"
              variant="quiet"
              onClick={() => void work.attempt(() => api.mcp.stop({ id }))}
            >
              Stop
            </Button>
          )}
          <IconButton
            label={`Messages of ${name}`}
            icon={<InspectIcon />}
            onClick={() => setShowsMessages(true)}
          />
          <IconButton label={`Edit ${name}`} icon={<EditIcon />} onClick={onEdit} />
          <IconButton label={`Delete ${name}`} icon={<TrashIcon />} onClick={onDelete} />
        </div>
      </div>
      {error !== null && <ErrorAlert compact error={error} />}
      {work.error !== null && <ErrorAlert compact error={work.error} />}
      <div className="stack-4">
        {offers.tools.length > 0 && (
          <Fold title="Tools" summary={formatCount(offers.tools.length)}>
            {approved.length > 0 && (
              <div className="row-8">
                <span className="hint">
                  {pluralize(approved.length, 'tool')} always or never allowed.
                </span>
                <Button
                  size="small"
                  onClick={() => void work.attempt(() => api.mcp.resetApprovals({ id }))}
                >
                  Ask again for all
                </Button>
              </div>
            )}
            <ToolList
              server={server}
              onAskAgain={(tool) =>
                void work.attempt(() =>
                  api.mcp.setApproval({ serverId: id, name: tool, approval: 'ask' }),
                )
              }
            />
          </Fold>
        )}
        <ComposerOffers offers={offers} />
        {offers.cut.length > 0 && (
          <p className="hint">
            {`The server lists more ${offers.cut.join(', ')} than Gatehouse reads: 1,000 of a kind on 20 pages, and 2 MiB in all.`}
          </p>
        )}
        {offers.repeated.length > 0 && (
          <p className="hint">
            {`The server repeats a page of its ${offers.repeated.join(', ')} without end, so the rest was left out.`}
          </p>
        )}
        <Fold title="Log">
          <ServerLog id={id} name={name} />
        </Fold>
      </div>
      {showsMessages && (
        <MessagesDialog serverId={id} server={name} onClose={() => setShowsMessages(false)} />
      )}
    </li>
  );
}

const isDesktop = location.protocol === 'app:';

const turnedOff: StatusLabel = { label: 'Off', tone: 'quiet' };

const statusLabels: Record<McpStatus, StatusLabel> = {
  stopped: { label: 'Not connected', tone: 'quiet' },
  starting: { label: 'Connecting', tone: 'active' },
  ready: { label: 'Connected', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
  'sign-in': { label: 'Sign-in needed', tone: 'warning' },
  'signing-in': { label: 'Continue in your browser', tone: 'active' },
};

function describeTransport(transport: McpTransport): string {
  switch (transport.type) {
    case 'stdio':
      return [transport.command, ...transport.args].join(' ');
    case 'http':
      return transport.url;
    default:
      return assertNever(transport);
  }
}

function SecretsLine({ server: { transport, protection, missing } }: { server: McpServer }) {
  const names = transport.type === 'stdio' ? transport.env : transport.headers;
  if (names.length === 0) return null;
  return (
    <p className="row-4 hint">
      <KeyIcon size={12} />
      {missing.length > 0 ? `Enter again: ${missing.join(', ')}` : names.join(', ')}
      {protection === 'session' && ' · for this session only'}
    </p>
  );
}

interface FoldProps {
  title: string;
  /** Omits the line above. */
  isPlain?: boolean;
  summary?: string;
  children: ReactNode;
}

/** Renders its content only while it is open. */
function Fold({ title, summary, isPlain = false, children }: FoldProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className={classNames(dialogStyles.advanced, isPlain && styles.plain)}
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className={dialogStyles.summary}>
        <span>{title}</span>
        {summary !== undefined && <span className="hint">{summary}</span>}
      </summary>
      {isOpen && <div className="stack-8">{children}</div>}
    </details>
  );
}

function ComposerOffers({ offers: { prompts, resources } }: Pick<McpServer, 'offers'>) {
  if (prompts.length === 0 && resources.length === 0) return null;
  const listed = [
    ...(prompts.length > 0 ? [pluralize(prompts.length, 'prompt')] : []),
    ...(resources.length > 0 ? [pluralize(resources.length, 'resource')] : []),
  ];
  return (
    <p className="hint">
      {`Also offers ${listed.join(' and ')}. Add them to a message with “From MCP server…”.`}
    </p>
  );
}

interface ToolListProps {
  server: McpServer;
  onAskAgain: (tool: string) => void;
}

function ToolList({ server, onAskAgain }: ToolListProps) {
  const { id, name, enabled, offers, approvals } = server;
  return (
    <ul aria-label={`Tools of ${name}`}>
      {offers.tools.map((tool) => (
        <li key={`${tool.name} ${tool.problem}`} className={classNames(styles.tool, 'stack-4')}>
          <div className="row-8">
            <code className={styles.toolName}>{tool.name}</code>
            {describeHints(tool, approvals[tool.name]).map((hint) => (
              <span key={hint} className={connectionStyles.chip}>
                {hint}
              </span>
            ))}
            {(approvals[tool.name] ?? 'ask') !== 'ask' && (
              <Button
                size="small"
                variant="quiet"
                aria-label={`Ask again for ${tool.name}`}
                onClick={() => onAskAgain(tool.name)}
              >
                Ask again
              </Button>
            )}
          </div>
          {tool.problem === null ? (
            <>
              {tool.description !== '' && (
                <p className={classNames(styles.description, 'caption')}>{tool.description}</p>
              )}
              <div className={styles.folds}>
                <Fold title="Schema" isPlain>
                  <JsonView label={`Schema of ${tool.name}`} value={tool.inputSchema} />
                </Fold>
                {tool.outputSchema !== null && (
                  <Fold title="Output schema" isPlain>
                    <JsonView label={`Output schema of ${tool.name}`} value={tool.outputSchema} />
                  </Fold>
                )}
                {enabled && (
                  <Fold title="Try" isPlain>
                    <McpTry serverId={id} server={name} tool={tool} />
                  </Fold>
                )}
              </div>
            </>
          ) : (
            <p className="caption">Can’t be used. {tool.problem}</p>
          )}
        </li>
      ))}
    </ul>
  );
}

function describeHints({ annotations }: McpTool, approval: string | undefined): string[] {
  return [
    ...(annotations.readOnly === true ? ['Read-only'] : []),
    ...(annotations.destructive === true && annotations.readOnly !== true ? ['Destructive'] : []),
    ...(approval === 'always' ? ['Always allowed'] : []),
    ...(approval === 'never' ? ['Never allowed'] : []),
  ];
}

const LOG_MS = 1000;

function ServerLog({ id, name }: { id: string; name: string }) {
  const log = useQuery(orpc.mcp.log.queryOptions({ input: { id }, refetchInterval: LOG_MS }));
  const lines = log.data ?? [];
  if (lines.length === 0) return <p className="caption">Nothing logged yet.</p>;
  return (
    <section
      aria-label={`Log of ${name}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable.
      tabIndex={0}
      className={styles.log}
    >
      {lines.map(({ at, from, text }, index) => (
        // Lines are only added or dropped, and may repeat.
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity.
        <p key={`${at} ${index}`} data-from={from}>
          <time dateTime={new Date(at).toISOString()}>{formatClock(at)}</time> {text}
        </p>
      ))}
    </section>
  );
}

const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium', hourCycle: 'h23' });

function formatClock(at: number): string {
  return clock.format(at);
}
