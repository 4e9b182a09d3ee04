import type { CallDecision } from '../../../../shared/contract/conversations.ts';
import type { LiveTurn, WorkingCall } from '../../../../shared/conversation.ts';
import { useCommands } from '../../../lib/commands.ts';
import { RunningCall } from '../../../run/mcp/call-progress.tsx';
import { Button } from '../../../ui/button.tsx';
import { useFocusPassing } from '../../../ui/pass-focus.ts';
import { useFirstItems } from '../../../ui/use-first-items.tsx';
import styles from '../composer/tool-results-form.module.css';
import { decideCall } from '../conversation/chat-actions.ts';

interface TurnCallsProps {
  conversationId: string;
  turn: LiveTurn;
  /** False beside other logs, whose calls would share the shortcuts. */
  hasShortcuts?: boolean;
}

const ALLOW_KEYS = 'Mod+Shift+Enter';
const DECLINE_KEYS = 'Mod+Shift+Backspace';

/** Shows the tool calls that Gatehouse is answering or asking the user about. */
export function TurnCalls({ conversationId, turn, hasShortcuts = false }: TurnCallsProps) {
  const { answerId, calls } = turn;
  const { first, more } = useFirstItems(calls, 'tool calls');
  const asked = calls.filter(({ status }) => status === 'asking');
  const decide = ({ place }: WorkingCall, decision: CallDecision) =>
    void decideCall({ conversationId, answerId, place, decision });
  function decideAll(decision: CallDecision): void {
    for (const call of asked) decide(call, decision);
  }
  const [allow, decline] =
    asked.length > 1 ? ['Allow all', 'Decline all'] : ['Allow once', 'Decline'];
  const command = { group: 'Chat', keywords: 'tool call', enabled: asked.length > 0 };
  useCommands(
    hasShortcuts
      ? [
          {
            ...command,
            id: 'chat.allow',
            title: `${allow}: tool calls`,
            shortcut: ALLOW_KEYS,
            run: () => decideAll('once'),
          },
          {
            ...command,
            id: 'chat.decline',
            title: `${decline}: tool calls`,
            shortcut: DECLINE_KEYS,
            run: () => decideAll('decline'),
          },
        ]
      : [],
  );
  const keys = hasShortcuts ? { once: ALLOW_KEYS, decline: DECLINE_KEYS } : {};
  return (
    <ul className={`stack-8 ${styles.results}`} aria-label="Tools at work">
      {first.map((call) => (
        <li key={call.place} className="stack-8">
          {call.status === 'asking' ? (
            <Question
              call={call}
              isRepeated={calls.some((other) => other !== call && other.name === call.name)}
              keys={asked.length === 1 ? keys : {}}
              onDecide={(decision) => decide(call, decision)}
            />
          ) : (
            <RunningCall
              subject={call.server === null ? call.name : `${call.name} on ${call.server}`}
              call={call.call}
              startedAt={call.startedAt}
            />
          )}
        </li>
      ))}
      {more !== null && <li>{more}</li>}
      {asked.length > 1 && (
        <li className="wrap-8">
          <Button
            variant="primary"
            size="small"
            {...(hasShortcuts && { shortcut: ALLOW_KEYS })}
            onClick={() => decideAll('once')}
          >
            {allow}
          </Button>
          <Button
            size="small"
            {...(hasShortcuts && { shortcut: DECLINE_KEYS })}
            onClick={() => decideAll('decline')}
          >
            {decline}
          </Button>
        </li>
      )}
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
  /** The shortcuts of decisions, if this is the only question. */
  keys: Partial<Record<CallDecision, string>>;
  onDecide: (decision: CallDecision) => void;
}

function Question({ call, isRepeated, keys, onDecide }: QuestionProps) {
  const { id, name, server } = call;
  const label = isRepeated ? `${name} ${id}` : name;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div
      role="group"
      aria-label={`Allow ${label}`}
      className={`stack-8 ${styles.question}`}
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
          <Button
            key={decision}
            size="small"
            {...(keys[decision] !== undefined && { shortcut: keys[decision] })}
            onClick={() => onDecide(decision)}
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
  );
}
