import { useMemo } from 'react';
import type { ToolCallView } from '../../../../shared/operations/chat/answer-view.ts';
import { readTree } from '../../../run/body/answer-json.ts';
import { JsonView } from '../../../ui/json-view/json-view.tsx';
import { CodeView } from '../../../ui/markdown/code-block.tsx';
import styles from '../messages/message.module.css';
import { PlainText } from '../messages/message-parts.tsx';

interface ToolCallsProps {
  calls: readonly ToolCallView[];
  streaming: boolean;
}

export function ToolCalls({ calls, streaming }: ToolCallsProps) {
  return (
    <ul className="stack-8" aria-label="Tool calls">
      {calls.map((call, index) => (
        <ToolCall
          // biome-ignore lint/suspicious/noArrayIndexKey: IDs may be missing or repeated.
          key={index}
          call={call}
          streaming={streaming}
          complete={!streaming || index < calls.length - 1}
        />
      ))}
    </ul>
  );
}

interface ToolCallProps {
  call: ToolCallView;
  streaming: boolean;
  complete: boolean;
}

function ToolCall({ call, streaming, complete }: ToolCallProps) {
  const { arguments: source } = call;
  const value = useMemo(() => (streaming ? null : readTree(source)), [streaming, source]);
  const isInvalid = !streaming && value === null && source !== '';
  return (
    <li>
      <div className={`wrap-8 caption ${styles.toolCallHeader}`}>
        <span>Calls</span>
        <code>{call.name === '' ? 'unnamed tool' : call.name}</code>
        <span className="hint mono truncate">{call.id}</span>
        {isInvalid && <span className={styles.invalid}>Arguments aren’t valid JSON.</span>}
      </div>
      {value !== null ? (
        <JsonView label="Arguments" value={value} source={source} />
      ) : (
        source !== '' && (
          <CodeView code={source} language={streaming ? 'json' : ''} complete={complete} />
        )
      )}
    </li>
  );
}

/** Formats valid JSON; returns any other text unchanged. */
export function ToolResult({ text }: { text: string }) {
  const value = useMemo(() => readTree(text), [text]);
  return value === null ? (
    <PlainText text={text} />
  ) : (
    <JsonView label="Tool result" value={value} source={text} />
  );
}
