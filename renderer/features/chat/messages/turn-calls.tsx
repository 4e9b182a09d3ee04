import type { CallDecision } from '../../../../shared/contract/conversations.ts';
import type { LiveTurn, WorkingCall } from '../../../../shared/conversation.ts';
import { Button } from '../../../ui/button.tsx';
import { Waiting } from '../../../ui/spinner.tsx';
import { decideCall } from '../chat-actions.ts';
import styles from './message.module.css';

interface TurnCallsProps {
  conversationId: string;
  turn: LiveTurn;
}

/** The tool calls that Gatehouse is answering, and those it asks about. */
export function TurnCalls({ conversationId, turn: { answerId, calls } }: TurnCallsProps) {
  return (
    <ul className={`stack-8 ${styles.results}`} aria-label="Tools at work">
      {calls.map((call) => (
        <li key={call.place} className="stack-8">
          {call.status === 'asking' ? (
            <Question
              call={call}
              onDecide={(decision) =>
                void decideCall({ conversationId, answerId, place: call.place, decision })
              }
            />
          ) : (
            <Waiting>
              {call.server === null ? call.name : `${call.name} on ${call.server}`} is running…
            </Waiting>
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
  onDecide: (decision: CallDecision) => void;
}

function Question({ call: { name, server }, onDecide }: QuestionProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div role="group" aria-label={`Allow ${name}`} className="stack-8">
      <p role="status">
        Allow <code>{name}</code> on {server ?? 'this server'}? It gets the arguments above.
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
