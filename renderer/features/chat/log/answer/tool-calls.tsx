import { useQuery } from '@tanstack/react-query';
import { createContext, use, useMemo } from 'react';
import { isJsonObject, type JsonValue } from '../../../../../shared/json.ts';
import type { ToolCallView } from '../../../../../shared/operations/chat/answer-view.ts';
import { writeArguments } from '../../../../../shared/operations/chat/call-arguments.ts';
import type { RunInput } from '../../../../../shared/run.ts';
import { readTree } from '../../../../run/body/answer-json.ts';
import { useRecordedInput } from '../../../../run/live/recorded-input.ts';
import { JsonView } from '../../../../ui/json-view/json-view.tsx';
import { CodeView } from '../../../../ui/markdown/code-block.tsx';
import { useFirstItems } from '../../../../ui/use-first-items.tsx';
import styles from './message.module.css';
import { PlainText } from './message-parts.tsx';
import { validateOnThread } from './validate-on-thread.ts';

interface ToolCallsProps {
  calls: readonly ToolCallView[];
  streaming: boolean;
}

/** The run whose request offered the tools; null if there is none. */
export const CallingRunContext = createContext<string | null>(null);

export function ToolCalls({ calls, streaming }: ToolCallsProps) {
  const recorded = useRecordedInput(use(CallingRunContext));
  const sent = recorded === null || streaming ? null : getSentTools(recorded);
  const { first, more } = useFirstItems(calls, 'tool calls');
  const places = new Map(calls.map(({ id }, index) => [id, index] as const).reverse());
  return (
    <ul className="stack-8" aria-label="Tool calls">
      {first.map((call, index) => (
        <ToolCall
          // biome-ignore lint/suspicious/noArrayIndexKey: IDs may be missing or repeated.
          key={index}
          call={call}
          streaming={streaming}
          complete={!streaming || index < calls.length - 1}
          tools={sent}
          isRepeated={places.get(call.id) !== index}
        />
      ))}
      {more !== null && <li>{more}</li>}
    </ul>
  );
}

/** Returns the parameters' schemas by tool; a custom tool has none. */
function getSentTools({ request, extraBody }: RunInput): ReadonlyMap<string, JsonValue> {
  const tools = extraBody.tools ?? request.tools;
  const sent = new Map<string, JsonValue>();
  for (const tool of Array.isArray(tools) ? tools : []) {
    const definition = isJsonObject(tool) ? tool.function : undefined;
    if (!isJsonObject(definition) || typeof definition.name !== 'string') continue;
    sent.set(definition.name, definition.parameters ?? true);
  }
  return sent;
}

interface ToolCallProps {
  call: ToolCallView;
  streaming: boolean;
  complete: boolean;
  /** Null until they are known. */
  tools: ReadonlyMap<string, JsonValue> | null;
  /** True if an earlier call has the same ID. */
  isRepeated: boolean;
}

function ToolCall({ call, streaming, complete, tools, isRepeated }: ToolCallProps) {
  // Some models write the object as null, as nothing or as text in JSON.
  const source = streaming ? call.arguments : writeArguments(call.arguments);
  const schema = tools?.get(call.name);
  const checked = useQuery({
    queryKey: ['tool-call-check', source, schema],
    queryFn: () => validateOnThread(source, schema ?? true),
    enabled: schema !== undefined && source !== '',
    staleTime: 'static',
  });
  const problems = checked.data?.kind === 'misfits' ? checked.data.misfits : undefined;
  const isUnknown = tools !== null && tools.size > 0 && schema === undefined;
  const value = useMemo(() => (streaming ? null : readTree(source)), [streaming, source]);
  const isInvalid = !streaming && value === null && source !== '';
  return (
    <li>
      <div className={`wrap-8 caption ${styles.toolCallHeader}`}>
        <span>Calls</span>
        <code>{call.name === '' ? 'unnamed tool' : call.name}</code>
        <span className="hint mono truncate">{call.id}</span>
        {isInvalid && <span className={styles.invalid}>Arguments aren’t valid JSON.</span>}
        {problems !== undefined && (
          <span className={styles.invalid}>Arguments don’t fit the schema.</span>
        )}
        {isUnknown && <span className={styles.invalid}>This tool wasn’t in the request.</span>}
        {isRepeated && <span className={styles.invalid}>An earlier call has the same ID.</span>}
      </div>
      {value !== null ? (
        <JsonView label="Arguments" value={value} source={source} problems={problems} />
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
  if (text.trim() === '') return <p className="caption">The result is empty.</p>;
  return value === null ? (
    <PlainText text={text} />
  ) : (
    <JsonView label="Tool result" value={value} source={text} />
  );
}
