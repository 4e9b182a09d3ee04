import { useState } from 'react';
import type { Answerer, CallRecord } from '../../../../shared/tool-answer.ts';
import { formatDuration } from '../../../lib/format-quantity.ts';
import { MessagesDialog } from '../../../run/mcp/messages-dialog.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorIcon, WarningIcon } from '../../../ui/icons/status.tsx';
import styles from './call-record.module.css';

const WORDS: Readonly<Record<Answerer, string>> = {
  canned: 'Canned result',
  script: 'JavaScript',
  mcp: 'MCP',
  check: 'Invalid call',
};

/** Shows how Gatehouse got a tool's result, with the lines that a script printed. */
export function CallRecordView({ record }: { record: CallRecord }) {
  const { by, server, call, failed, misfit, console, durationMs } = record;
  const [showsMessages, setShowsMessages] = useState(false);
  return (
    <div className="stack-4">
      <p className="wrap-8 caption">
        <span>{server ?? WORDS[by]}</span>
        {by !== 'check' && <span className="hint">{formatDuration(durationMs)}</span>}
        {failed && by !== 'check' && (
          <span className={styles.failed}>
            <ErrorIcon size={12} /> Failed
          </span>
        )}
        {call !== null && (
          <Button size="small" variant="quiet" onClick={() => setShowsMessages(true)}>
            Messages
          </Button>
        )}
      </p>
      {misfit !== null && (
        <p className={`caption ${styles.failed}`}>
          <WarningIcon size={12} />
          {`The result doesn’t fit the tool’s output schema. ${misfit}`}
        </p>
      )}
      {call !== null && showsMessages && (
        <MessagesDialog
          serverId={call.serverId}
          server={server ?? ''}
          callId={call.callId}
          onClose={() => setShowsMessages(false)}
        />
      )}
      {console.length > 0 && (
        <details className={`caption ${styles.lines}`}>
          <summary>
            {console.length === 1 ? '1 console line' : `${console.length} console lines`}
          </summary>
          <pre className={styles.console}>{console.join('\n')}</pre>
        </details>
      )}
    </div>
  );
}
