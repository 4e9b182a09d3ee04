import type { Answerer, CallRecord } from '../../../../shared/tool-answer.ts';
import { formatDuration } from '../../../lib/format-quantity.ts';
import { ErrorIcon } from '../../../ui/icons/status.tsx';
import styles from './call-record.module.css';

const WORDS: Readonly<Record<Answerer, string>> = {
  canned: 'Canned result',
  script: 'JavaScript',
  mcp: 'MCP',
  check: 'Invalid call',
};

/** Shows how Gatehouse got a tool's result, with the lines that a script printed. */
export function CallRecordView({ record }: { record: CallRecord }) {
  const { by, server, failed, console, durationMs } = record;
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
      </p>
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
