import { useState } from 'react';
import type { TreeMessage } from '../../../../../shared/conversation.ts';
import { hasResult, type RunSummary } from '../../../../../shared/run.ts';
import { Button } from '../../../../ui/button.tsx';
import { CheckIcon } from '../../../../ui/icons/status.tsx';
import { Tabs } from '../../../../ui/tabs.tsx';
import { useWidth } from '../../../../ui/use-width.ts';
import { useChat } from '../../conversation/chat-store.ts';
import { getSavedAnswer, useAnswer } from './answer.ts';
import {
  AnswerFigures,
  AnswerMedia,
  AnswerOutcome,
  AnswerText,
  AnswerWarnings,
  describeEnding,
} from './answer-body.tsx';
import styles from './choice-columns.module.css';
import { AnswerWithCheck, ChoicesCheck } from './schema-check.tsx';

interface ChoiceColumnsProps {
  choices: readonly TreeMessage[];
  run: RunSummary;
  /** The choice that the conversation continues from. */
  picked: TreeMessage;
  onPick: (choice: TreeMessage) => void;
  onRetry: (() => void) | undefined;
}

const MIN_COLUMN_PX = 320;

/** Shows choices side by side, or as tabs if the columns don't fit. */
export function ChoiceColumns(props: ChoiceColumnsProps) {
  const { choices, run: summary, picked, onPick, onRetry } = props;
  const { answer, placed, warnings, run, running } = useAnswer(picked, summary);
  const [frame, width] = useWidth();
  const fits = width === null || width >= choices.length * MIN_COLUMN_PX;
  const [shownId, setShownId] = useState(picked.id);
  const foundId = useChat(({ foundChoiceId }) =>
    choices.some(({ id }) => id === foundChoiceId) ? foundChoiceId : null,
  );
  const [seenId, setSeenId] = useState<string | null>(null);
  if (foundId !== seenId) {
    setSeenId(foundId);
    if (foundId !== null) setShownId(foundId);
  }
  const column = (choice: TreeMessage) => (
    <Column
      key={choice.id}
      choice={choice}
      run={summary}
      isPicked={choice.id === picked.id}
      onPick={() => onPick(choice)}
    />
  );
  return (
    <>
      <section ref={frame} className={fits ? styles.columns : styles.tabs} aria-label="Choices">
        {fits ? (
          choices.map(column)
        ) : (
          <Tabs
            label="Choices"
            value={choices.some(({ id }) => id === shownId) ? shownId : picked.id}
            onValueChange={setShownId}
            tabs={choices.map((choice) => ({
              value: choice.id,
              label: `Choice ${(choice.choiceIndex ?? 0) + 1}`,
              ...(choice.id === picked.id && { badge: <CheckIcon size={12} /> }),
              content: <div className={styles.tab}>{column(choice)}</div>,
            }))}
          />
        )}
      </section>
      <ChoicesCheck
        answers={choices.map((choice) => ({
          runId: summary.id,
          choiceIndex: choice.choiceIndex ?? 0,
          text: hasResult(run) ? getSavedAnswer(choice).content : null,
        }))}
      />
      {run.media.length > 0 && <AnswerMedia run={run} placed={placed} />}
      <AnswerWarnings warnings={warnings} />
      {!running && <AnswerOutcome run={run} answer={answer} onRetry={onRetry} />}
      <AnswerFigures run={run} running={running} choiceIndex={null} />
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
  const { answer, finishReason, stopDetails, run, running } = useAnswer(choice, summary);
  const ending = running ? null : describeEnding(finishReason, stopDetails);
  const number = (choice.choiceIndex ?? 0) + 1;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div
      role="group"
      className={`stack-8 ${styles.column}`}
      data-picked={isPicked}
      data-choice={choice.id}
      aria-label={`Choice ${number}`}
    >
      <header className={`wrap-8 ${styles.head}`}>
        <span className={styles.number}>Choice {number}</span>
        {finishReason !== null && <span className="hint mono truncate">{finishReason}</span>}
        {isPicked ? (
          <span className={`row-4 ${styles.picked}`}>
            <CheckIcon size={14} /> Conversation continues from this choice
          </span>
        ) : (
          <Button size="small" onClick={onPick}>
            Continue from choice {number}
          </Button>
        )}
      </header>
      <AnswerWithCheck
        runId={summary.id}
        choiceIndex={choice.choiceIndex ?? 0}
        text={hasResult(run) ? answer.content : null}
      >
        <AnswerText answer={answer} running={running} />
      </AnswerWithCheck>
      {ending !== null && <p className={styles.ending}>{ending}</p>}
    </div>
  );
}
