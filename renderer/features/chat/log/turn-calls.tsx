import type { CallDecision } from '../../../../shared/contract/conversations.ts';
import type { LiveTurn, WorkingCall } from '../../../../shared/conversation.ts';
import { RunningCall } from '../../../run/mcp/call-progress.tsx';
import { Button } from '../../../ui/button.tsx';
import { useFocusPassing } from '../../../ui/pass-focus.ts';
import styles from '../composer/tool-results-form.module.css';
import { decideCall } from '../conversation/chat-actions.ts';

interface TurnCallsProps {
  conversationId: string;
  turn: LiveTurn;
}

/** Shows the tool calls that Gatehouse is answering or asking the user about. */
export function TurnCalls({ conversationId, turn: { answerId, calls } }: TurnCallsProps) {
  return (
    <ul className={`stack-8 ${styles.results}`} aria-label="Tools at work">
      {calls.map((call) => (
        <li key={call.place} className="stack-8">
          {call.status === 'asking' ? (
            <Question
              call={call}
              isRepeated={calls.some((other) => other !== call && other.name === call.name)}
              onDecide={(decision) =>
                void decideCall({ conversationId, answerId, place: call.place, decision })
              }
            />
          ) : (
            <RunningCall
              subject={call.server === null ? call.name : `${call.name} on ${call.server}`}
              call={call.call}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

const DECISIONS: { decision: CallDecision; label: string }[] = [
  { decision: 'once', label: 'Allow once' },
  { decision: 'always', label: 'Always allow' },
  { decision: 'decline', label: 'Decline' },
  { decision: 'never', label: 'Never allow' },
];

interface QuestionProps {
  call: WorkingCall;
  /** True if another call has the same name. */
  isRepeated: boolean;
  onDecide: (decision: CallDecision) => void;
}

function Question({ call: { id, name, server }, isRepeated, onDecide }: QuestionProps) {
  const label = isRepeated ? `${name} ${id}` : name;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div
      role="group"
      aria-label={`Allow ${label}`}
      className="stack-8"
      ref={useFocusPassing<HTMLDivElement>()}
      tabIndex={-1}
      data-question-control
      data-focus-fallback="question run"
    >
      <p role="status">
        Allow <code>{label}</code> on {server ?? 'this server'}? It gets the arguments above.
      </p>
      <div className="wrap-8">
        {DECISIONS.map(({ decision, label }) => (
          <Button key={decision} size="small" onClick={() => onDecide(decision)}>
            {label}
          </Button>
        ))}
      </div>
    </div>
  );
}
