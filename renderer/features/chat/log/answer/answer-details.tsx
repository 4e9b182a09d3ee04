import { Fragment, useMemo } from 'react';
import type { JsonObject } from '../../../../../shared/json.ts';
import { viewAnswer } from '../../../../../shared/operations/chat/answer-view.ts';
import { isShownAsSources } from '../../../../../shared/operations/chat/sources.ts';
import type { ChatState } from '../../../../../shared/operations/chat/state.ts';
import type { ToolStep } from '../../../../../shared/operations/chat/tool-steps.ts';
import { inspectRun } from '../../../../lib/layout.ts';
import { ResponseFacts } from '../../../../run/body/fact-table.tsx';
import { OtherFields, withChoices } from '../../../../run/body/other-fields.tsx';
import { TokenProbabilities } from '../../../../run/body/token-probabilities.tsx';
import { RunFigures } from '../../../../run/frame/run-figures.tsx';
import { useRun, useRunProblem } from '../../../../run/live/live-runs.ts';
import { Button } from '../../../../ui/button.tsx';
import styles from './message.module.css';

interface AnswerDetailsProps {
  runId: string;
  /** Null shows all choices. */
  choiceIndex: number | null;
}

export function AnswerDetails({ runId, choiceIndex }: AnswerDetailsProps) {
  const state = useRun('chat', runId)?.state ?? null;
  const fields = useMemo(() => (state === null ? {} : getOtherFields(state)), [state]);
  const choices = (state?.choices ?? []).filter(
    ({ index }) => choiceIndex === null || index === choiceIndex,
  );
  return (
    <ResponseFacts
      runId={runId}
      lead={choices.map((choice) => (
        <Fragment key={choice.index}>
          <ToolSteps steps={viewAnswer(choice).steps} />
          <TokenProbabilities
            logprobs={choice.logprobs}
            choice={choices.length > 1 ? choice.index : null}
          />
        </Fragment>
      ))}
    >
      <OtherFields fields={fields} />
    </ResponseFacts>
  );
}

/** Lists steps of the provider's tools; the other fields contain their complete items. */
function ToolSteps({ steps }: { steps: readonly ToolStep[] }) {
  if (steps.length === 0) return null;
  return (
    <ul className={styles.steps} aria-label="Built-in tools">
      {steps.map(({ title, text, status }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items keep their order.
        <li key={index}>
          <strong>{title}</strong>
          {status !== null && <span className="hint">{status.replaceAll('_', ' ')}</span>}
          {text !== '' && <code>{text}</code>}
        </li>
      ))}
    </ul>
  );
}

function getOtherFields({ other, choices }: ChatState): JsonObject {
  const own = Object.entries(other).filter(([name, value]) => !isShownAsSources(name, value));
  return withChoices(
    Object.fromEntries(own),
    choices.map((choice) => viewAnswer(choice).otherFields),
  );
}

/** Lists the runs that wrote the start of a continued answer. */
export function EarlierRuns({ runIds }: { runIds: readonly string[] }) {
  if (runIds.length === 0) return null;
  return (
    <ul className="stack-4" aria-label="Earlier runs">
      {runIds.map((runId) => (
        <li key={runId}>
          <EarlierRun runId={runId} />
        </li>
      ))}
    </ul>
  );
}

function EarlierRun({ runId }: { runId: string }) {
  const run = useRun('chat', runId);
  const problem = useRunProblem(runId);
  if (problem !== null) return <p className="caption">The run of the start was deleted.</p>;
  if (run === null) return null;
  return (
    <div className="wrap-8 caption">
      Continues
      <RunFigures run={run} />
      <Button size="small" variant="quiet" onClick={() => inspectRun(runId)}>
        Inspect earlier run
      </Button>
    </div>
  );
}
