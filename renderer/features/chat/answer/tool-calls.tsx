import type { ToolCallState } from '../../../../shared/operations/chat/state.ts';
import { prettyJson } from '../../../run/body/text-lines.ts';
import { CodeView } from '../../../ui/markdown/code-block.tsx';
import styles from '../messages/message.module.css';

interface ToolCallsProps {
  calls: readonly ToolCallState[];
  /** Arguments may still be cut anywhere. */
  streaming: boolean;
}

export function ToolCalls({ calls, streaming }: ToolCallsProps) {
  return (
    <ul className={styles.toolCalls} aria-label="Tool calls">
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ids may be missing or doubled; places stay.
        <ToolCall key={index} call={call} streaming={streaming} />
      ))}
    </ul>
  );
}

interface ToolCallProps {
  call: ToolCallState;
  streaming: boolean;
}

function ToolCall({ call, streaming }: ToolCallProps) {
  const pretty = streaming ? null : prettyJson(call.arguments);
  const isInvalid = !streaming && pretty === null && call.arguments !== '';
  return (
    <li>
      <div className={styles.toolCallHeader}>
        <span>Calls</span>
        <code>{call.name === '' ? 'a tool without a name' : call.name}</code>
        <span className={styles.toolCallId}>{call.id}</span>
        {isInvalid && <span className={styles.invalid}>The arguments are not valid JSON.</span>}
      </div>
      {call.arguments !== '' && (
        <CodeView
          code={pretty ?? call.arguments}
          language={isInvalid ? '' : 'json'}
          complete={!streaming}
        />
      )}
    </li>
  );
}
