import type { ToolCallState } from '../../../../shared/operations/chat/state.ts';
import { prettyJson } from '../../../run/body/text-lines.ts';
import { CodeView } from '../../../ui/markdown/code-block.tsx';
import styles from '../messages/message.module.css';
import { PlainText } from '../messages/message-parts.tsx';

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
        <code>{call.name === '' ? 'unnamed tool' : call.name}</code>
        <span className={styles.toolCallId}>{call.id}</span>
        {isInvalid && <span className={styles.invalid}>Arguments are not valid JSON.</span>}
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

const LONGEST_PRETTY = 50_000;

interface ToolResultProps {
  text: string;
}

/** What a tool answered: JSON is formatted, anything else is shown verbatim. */
export function ToolResult({ text }: ToolResultProps) {
  const pretty = text.length <= LONGEST_PRETTY ? prettyJson(text) : null;
  return pretty === null ? <PlainText text={text} /> : <CodeView code={pretty} language="json" />;
}
