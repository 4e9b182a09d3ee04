import type { TreeMessage } from '../../../../shared/conversation.ts';
import type { RunSummary } from '../../../../shared/run.ts';
import { RunFigures } from '../../../run/frame/run-figures.tsx';
import { RunLiveness } from '../../../run/frame/run-liveness.tsx';
import { Button } from '../../../ui/button.tsx';
import { CheckIcon } from '../../../ui/icons/status.tsx';
import messageStyles from '../messages/message.module.css';
import { useAnswer } from './answer.ts';
import { AnswerOutcome, AnswerText } from './answer-body.tsx';
import styles from './choice-columns.module.css';
import { SchemaCheck } from './schema-check.tsx';

interface ChoiceColumnsProps {
  /** The answers of one run, by choice. */
  choices: readonly TreeMessage[];
  run: RunSummary;
  /** The one that the conversation goes on from. */
  picked: TreeMessage;
  onPick: (id: string) => void;
  onRetry: (message: TreeMessage) => void;
}

/** The choices of one run side by side. */
export function ChoiceColumns({
  choices,
  run: summary,
  picked,
  onPick,
  onRetry,
}: ChoiceColumnsProps) {
  const { answer, run, running } = useAnswer(picked, summary);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className={styles.columns} aria-label="Choices" tabIndex={0}>
        {choices.map((choice) => (
          <Column
            key={choice.id}
            choice={choice}
            run={summary}
            isPicked={choice.id === picked.id}
            onPick={() => onPick(choice.id)}
          />
        ))}
      </section>
      {!running && <AnswerOutcome run={run} answer={answer} onRetry={() => onRetry(picked)} />}
      <div className={messageStyles.figures}>
        {running ? <RunLiveness runId={run.id} /> : <RunFigures run={run} />}
      </div>
    </>
  );
}

interface ColumnProps {
  choice: TreeMessage;
  run: RunSummary;
  isPicked: boolean;
  onPick: () => void;
}

function Column({ choice, run: summary, isPicked, onPick }: ColumnProps) {
  const { answer, finishReason, running } = useAnswer(choice, summary);
  const number = (choice.choiceIndex ?? 0) + 1;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div
      role="group"
      className={styles.column}
      data-picked={isPicked}
      aria-label={`Choice ${number}`}
    >
      <header className={styles.head}>
        <span className={styles.number}>Choice {number}</span>
        {finishReason !== null && <span className={styles.reason}>{finishReason}</span>}
        {isPicked ? (
          <span className={styles.picked}>
            <CheckIcon size={14} /> Continues from here
          </span>
        ) : (
          <Button size="small" onClick={onPick}>
            Continue from choice {number}
          </Button>
        )}
      </header>
      <AnswerText answer={answer} running={running} />
      {!running && (
        <SchemaCheck
          runId={summary.id}
          choiceIndex={choice.choiceIndex ?? 0}
          text={answer.content}
        />
      )}
    </div>
  );
}
