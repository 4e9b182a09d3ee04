import type { McpActivity, McpCall, McpProgress } from '../../../shared/mcp-activity.ts';
import { formatCount, formatTime } from '../../lib/format-quantity.ts';
import { Progress } from '../../ui/progress.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { useNow } from '../live/use-now.ts';
import styles from './mcp.module.css';
import { useMcpActivity } from './use-mcp-activity.ts';

interface RunningCallProps {
  /** Names the tool, such as “echo on everything”. */
  subject: string;
  /** Null if no MCP server answers the call. */
  call: McpCall | null;
  /** When the call started, in Unix milliseconds; null if that isn't known. */
  startedAt?: number | null;
}

const TICK_MS = 1000;

/** Shows that a call runs or waits for the user, and what its server reports. */
export function RunningCall({ subject, call, startedAt = null }: RunningCallProps) {
  const { calls, questions } = useMcpActivity();
  const isAsked = questions.some(({ serverId }) => serverId === call?.serverId);
  return (
    <div className="stack-4">
      <div className="row-8">
        <Waiting>
          {isAsked ? `${subject} waits for your answer above.` : `${subject} is running…`}
        </Waiting>
        {startedAt !== null && <Elapsed since={startedAt} />}
      </div>
      <CallProgress running={calls.find(({ callId }) => callId === call?.callId) ?? null} />
    </div>
  );
}

/** Outside the live region, which would announce every second. */
function Elapsed({ since }: { since: number }) {
  const seconds = Math.floor((useNow(TICK_MS) - since) / 1000);
  return seconds < 1 ? null : <span className="caption tabular">{formatTime(seconds)}</span>;
}

function CallProgress({ running }: { running: McpActivity['calls'][number] | null }) {
  if (running === null || (running.progress === null && running.lines.length === 0)) return null;
  const { tool, progress, lines } = running;
  return (
    <div className={styles.progress}>
      {progress !== null && (
        <div className="row-8">
          <Progress
            label={`Progress of ${tool}`}
            className={styles.bar}
            value={progress.done}
            max={progress.total}
          />
          <span className="caption tabular">{describeProgress(progress)}</span>
        </div>
      )}
      {lines.length > 0 && (
        <ul className={styles.lines} aria-label={`Log messages of ${tool}`}>
          {lines.map(({ number, level, text }) => (
            <li key={number}>
              <span className={styles.level}>{level}</span> {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function describeProgress({ done, total, message }: McpProgress): string {
  const count =
    total === null ? formatCount(done) : `${formatCount(done)} of ${formatCount(total)}`;
  return message === null ? count : `${count} · ${message}`;
}
