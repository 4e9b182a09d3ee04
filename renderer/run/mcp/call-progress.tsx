import type { McpActivity, McpCall, McpProgress } from '../../../shared/mcp-activity.ts';
import { formatCount } from '../../lib/format-quantity.ts';
import { Progress } from '../../ui/progress.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import styles from './mcp.module.css';
import { useMcpActivity } from './use-mcp-activity.ts';

interface RunningCallProps {
  /** Names the tool, such as “echo on everything”. */
  subject: string;
  /** Null if no MCP server answers the call. */
  call: McpCall | null;
}

/** Shows that a call runs or waits for the user, and what its server reports. */
export function RunningCall({ subject, call }: RunningCallProps) {
  const { calls, questions } = useMcpActivity();
  const isAsked = questions.some(({ serverId }) => serverId === call?.serverId);
  return (
    <div className="stack-4">
      <Waiting>
        {isAsked ? `${subject} waits for your answer above.` : `${subject} is running…`}
      </Waiting>
      <CallProgress running={calls.find(({ callId }) => callId === call?.callId) ?? null} />
    </div>
  );
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
