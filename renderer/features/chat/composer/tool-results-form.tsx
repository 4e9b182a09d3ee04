import type { ToolCall } from '../../../../shared/operations/chat/message.ts';
import { Button } from '../../../ui/button.tsx';
import { WarningIcon } from '../../../ui/icons/status.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import styles from '../messages/message.module.css';
import { type OpenToolCalls, resultKey, splitResults } from './open-tool-calls.ts';
import { typedResults, typeResult, useToolResults } from './tool-results-store.ts';

interface ToolResultsFormProps {
  open: OpenToolCalls;
  /** Why nothing can be sent now. */
  blockedReason: string | null;
  onRun: (insist: boolean) => void;
}

/** The developer answers each call by hand; one press sends all results and goes on. */
export function ToolResultsForm({ open, blockedReason, onRun }: ToolResultsFormProps) {
  const { messageId, calls } = open;
  const typed = useToolResults((state) => typedResults(state, messageId));
  const isTold = useToolResults((state) => state.toldId === messageId);
  const { missing } = splitResults(open, typed);
  return (
    <form
      className={styles.results}
      aria-label="Tool results"
      onSubmit={(event) => {
        event.preventDefault();
        onRun(false);
      }}
    >
      {calls.map((call, index) => {
        const key = resultKey(call, index);
        const isMissing = isTold && missing.includes(call);
        return (
          <TextArea
            key={key}
            label={`Result of ${nameOf(call, calls)}`}
            placeholder="What the tool answers: text or JSON"
            help={call.id}
            error={isMissing ? 'This call has no result yet.' : null}
            monospace
            autoGrow
            rows={2}
            value={typed[key] ?? ''}
            onValueChange={(text) => typeResult(messageId, key, text)}
          />
        );
      })}
      {isTold && missing.length > 0 && (
        <p className={styles.missing} role="alert">
          <WarningIcon size={14} />
          {missing.length === 1 ? 'A call is' : `${missing.length} calls are`} left unanswered:{' '}
          {missing.map((call) => nameOf(call, calls)).join(', ')}. Most gateways refuse to go on
          like that.
        </p>
      )}
      <div className={styles.editorActions}>
        <Button type="submit" disabledReason={blockedReason}>
          Run with {calls.length === 1 ? 'this result' : 'these results'}
        </Button>
        {isTold && missing.length > 0 && (
          <Button variant="quiet" disabledReason={blockedReason} onClick={() => onRun(true)}>
            Run anyway
          </Button>
        )}
      </div>
    </form>
  );
}

/** With its id where another call has the same name. */
function nameOf(call: ToolCall, calls: readonly ToolCall[]): string {
  const { name } = call.function;
  const isAlone = calls.filter((other) => other.function.name === name).length === 1;
  return isAlone ? name : `${name} ${call.id}`;
}
