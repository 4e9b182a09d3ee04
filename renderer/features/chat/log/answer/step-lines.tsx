import { createContext } from 'react';
import { formatDuration, pluralize } from '../../../../lib/format-quantity.ts';
import { FoldButton } from '../../../../ui/fold-button.tsx';
import { useFirstItems } from '../../../../ui/use-first-items.tsx';
import { toggleStep } from '../../conversation/chat-store.ts';
import type { FinishedCall, FinishedCalls } from './finished-calls.ts';
import styles from './step-lines.module.css';

export interface ShownStep extends FinishedCalls {
  answerId: string;
  isOpen: boolean;
}

/** The step of the answer around it; null if its calls don't fold. */
export const StepContext = createContext<ShownStep | null>(null);

/** Shows finished tool calls as a line each; clicking one shows its arguments and result. */
export function StepLines({ step: { answerId, calls, isOpen } }: { step: ShownStep }) {
  const toggle = () => toggleStep(answerId);
  const { first, more } = useFirstItems(calls, 'tool calls');
  return (
    <ul className={styles.lines} aria-label="Finished tool calls">
      {isOpen ? (
        <li key={0}>
          <FoldButton open onOpenChange={toggle}>
            {pluralize(calls.length, 'tool call')}
          </FoldButton>
        </li>
      ) : (
        first.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: calls keep their order.
          <li key={index}>
            <FoldButton open={false} onOpenChange={toggle}>
              <StepLine call={call} />
            </FoldButton>
          </li>
        ))
      )}
      {!isOpen && more !== null && <li>{more}</li>}
    </ul>
  );
}

function StepLine({ call: { call, result, failed, durationMs } }: { call: FinishedCall }) {
  return (
    <span className={styles.line}>
      <code className={styles.call}>{call}</code>
      <span>→</span>
      <code className={styles.result} data-failed={failed || undefined}>
        {failed && <span className="visually-hidden">Failed: </span>}
        {result}
      </code>
      {durationMs !== null && (
        <span className={styles.time}>
          <span className="visually-hidden">in </span>
          {formatDuration(durationMs)}
        </span>
      )}
    </span>
  );
}
