import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { VList, type VListHandle } from 'virtua';
import type { McpMessage } from '../../../shared/mcp-messages.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { formatBytes, formatCount, pluralize } from '../../lib/format-quantity.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { saveBlob } from '../../media/players/download-button.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { JsonView } from '../../ui/json-view/json-view.tsx';
import { useRovingList } from '../../ui/roving-list.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { FactTable } from '../body/fact-table.tsx';
import styles from './messages.module.css';
import { useMcpMessages } from './use-mcp-messages.ts';

interface MessagesDialogProps {
  serverId: string;
  /** The server's name. */
  server: string;
  /** Shows the messages of one call; null shows all. */
  callId?: string | null;
  onClose: () => void;
}

/** Lists the JSON-RPC messages between Gatehouse and an MCP server. */
export function MessagesDialog({ serverId, server, callId = null, onClose }: MessagesDialogProps) {
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed);
  const filter = { id: serverId, callId, search };
  const { messages, droppedCount, problem } = useMcpMessages(filter);
  const exporting = useAttempt();
  const save = () =>
    exporting.attempt(async () => {
      const pieces: string[] = [];
      for await (const piece of await api.mcp.exportMessages(filter)) pieces.push(piece);
      saveBlob(new Blob(pieces, { type: 'application/jsonl' }), `${server}-messages.jsonl`);
    });
  const of = callId === null ? server : `this call of ${server}`;
  return (
    <Dialog open size="large" title={`Messages of ${of}`} onClose={onClose}>
      <div className={styles.bar}>
        <TextField
          label="Filter messages"
          hideLabel
          type="search"
          className={styles.filter}
          placeholder="Filter by method, content or header"
          value={typed}
          onValueChange={setTyped}
        />
        <span role="status" className="grow hint">
          {messages !== null && pluralize(messages.length, 'message')}
        </span>
        <Button
          size="small"
          busy={exporting.busy}
          disabledReason={messages?.length === 0 ? 'There is nothing to export.' : null}
          onClick={() => void save()}
        >
          Export
        </Button>
      </div>
      {exporting.error !== null && <ErrorAlert compact error={exporting.error} />}
      {problem !== null && <ErrorAlert compact error={problem} />}
      {messages === null && problem === null && <Spinner label="Loading messages" />}
      {messages?.length === 0 && (
        <EmptyState title="No messages">
          {search.trim() === ''
            ? 'Messages are kept in memory until Gatehouse quits. Connect to the server, or call a tool.'
            : 'No message contains this text.'}
        </EmptyState>
      )}
      {messages !== null && messages.length > 0 && (
        <MessageRows serverId={serverId} messages={messages} />
      )}
      {droppedCount > 0 && callId === null && (
        <p className="hint">
          {`The oldest ${pluralize(droppedCount, 'message')} made room for newer ones: 10,000 messages and 16 MiB are kept.`}
        </p>
      )}
    </Dialog>
  );
}

const NEAR_END_PIXELS = 12;

interface MessageRowsProps {
  serverId: string;
  messages: readonly McpMessage[];
}

/** Stays at the end while the user is there. */
function MessageRows({ serverId, messages }: MessageRowsProps) {
  const list = useRef<VListHandle>(null);
  const isAtEnd = useRef(true);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const count = messages.length;
  const roving = useRovingList({
    keys: useMemo(() => messages.map(({ number }) => `${number}`), [messages]),
    currentKey: null,
    getItemText: (index) => messages[index]?.method ?? '',
    scrollTo: (index) => list.current?.scrollToIndex(index, { align: 'nearest' }),
  });

  useEffect(() => {
    if (isAtEnd.current && count > 0) list.current?.scrollToIndex(count - 1, { align: 'end' });
  }, [count]);

  function toggle(number: number) {
    // Keep the opened row in view.
    isAtEnd.current = false;
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(number)) after.add(number);
      return after;
    });
  }

  const hasStatus = messages.some(({ status }) => status !== null);
  return (
    <div className={styles.table} data-status={hasStatus || undefined}>
      <div className={classNames(styles.columns, styles.row)} aria-hidden="true">
        <span>Time</span>
        <span />
        <span>Method</span>
        <span>ID</span>
        {hasStatus && <span>Status</span>}
        <span className={styles.size}>Size</span>
        <span>Content</span>
      </div>
      <VList
        ref={list}
        data={messages}
        bufferSize={600}
        keepMounted={count > 0 ? [roving.stop] : []}
        className={styles.list}
        {...roving.listProps}
        onScroll={(offset) => {
          const handle = list.current;
          if (!handle) return;
          const end = handle.scrollSize - NEAR_END_PIXELS;
          isAtEnd.current = offset + handle.viewportSize >= end;
        }}
      >
        {(message, index) => (
          <MessageRow
            key={message.number}
            serverId={serverId}
            message={message}
            hasStatus={hasStatus}
            isOpen={open.has(message.number)}
            tabIndex={roving.getTabIndex(index)}
            onToggle={() => toggle(message.number)}
          />
        )}
      </VList>
    </div>
  );
}

interface MessageRowProps {
  serverId: string;
  message: McpMessage;
  hasStatus: boolean;
  isOpen: boolean;
  tabIndex: number;
  onToggle: () => void;
}

function MessageRow(props: MessageRowProps) {
  const { serverId, message, hasStatus, isOpen, tabIndex, onToggle } = props;
  const { number, at, direction, kind, method, id, sizeBytes, status, preview } = message;
  const isSent = direction === 'sent';
  const isFailed = kind === 'error' || (status !== null && status >= 400);
  return (
    <div className={styles.item} data-row={number}>
      <button
        type="button"
        tabIndex={tabIndex}
        className={classNames(styles.row, styles.message, 'bare')}
        aria-expanded={isOpen}
        data-failed={isFailed || undefined}
        onClick={onToggle}
      >
        <time dateTime={new Date(at).toISOString()}>{clock.format(at)}</time>
        <span className={isSent ? styles.sent : styles.received}>
          <span aria-hidden="true">{isSent ? '→' : '←'}</span>
          <span className="visually-hidden">{isSent ? 'Sent' : 'Received'}</span>
        </span>
        <span className="truncate">
          {method ?? (kind === 'other' ? 'Not JSON-RPC' : 'Unknown')}
          {(kind === 'result' || kind === 'error') && <span className={styles.kind}> {kind}</span>}
        </span>
        <span className="truncate">{id}</span>
        {hasStatus && <span className={styles.status}>{status}</span>}
        <span className={styles.size}>{formatBytes(sizeBytes)}</span>
        <span className={classNames(styles.preview, 'truncate')}>{preview}</span>
      </button>
      {isOpen && <MessageBody serverId={serverId} message={message} />}
    </div>
  );
}

const clock = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
});

function MessageBody({ serverId, message }: Pick<MessageRowProps, 'serverId' | 'message'>) {
  const { number, direction, sizeBytes } = message;
  const input = { id: serverId, number };
  const { data, error } = useQuery(orpc.mcp.readMessage.queryOptions({ input }));
  const value = useMemo(
    () => (data === undefined || data.isCut ? undefined : parseJson(data.body)),
    [data],
  );
  if (error !== null) return <ErrorAlert compact error={toAppError(error)} />;
  if (data === undefined) return <Spinner label="Loading message" />;
  const { body, isCut, headers } = data;
  return (
    <div className={classNames(styles.body, 'stack-8')}>
      <FactTable
        label={direction === 'sent' ? 'Request headers' : 'Response headers'}
        facts={headers}
      />
      {isCut && (
        <p className="hint">
          {`Only the first ${formatCount(body.length)} characters of ${formatBytes(sizeBytes)} are kept.`}
        </p>
      )}
      {value === undefined ? (
        <div className={styles.plain}>
          <CopyButton label="Copy message" content={() => body} />
          <pre className={styles.text}>{body.slice(0, MAX_SHOWN_LENGTH)}</pre>
        </div>
      ) : (
        <JsonView label="Message" value={value} source={body} />
      )}
    </div>
  );
}

/** More text slows the page down; Copy has all of it. */
const MAX_SHOWN_LENGTH = 20_000;
