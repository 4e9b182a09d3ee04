import { useState } from 'react';
import { ParameterSidebar } from '../../run/form/parameter-sidebar.tsx';
import { useReopened } from '../../run/form/reopen.ts';
import { RunPickers } from '../../run/form/run-pickers.tsx';
import { ExampleResult } from '../../run/frame/empty-result.tsx';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { usePanelRun } from '../../run/live/use-panel-run.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { SpeechIcon } from '../../ui/icons/panels.tsx';
import styles from './speech.module.css';
import { SpeechForm } from './speech-form.tsx';
import { SpeechResult } from './speech-result.tsx';
import { useSpeech } from './speech-store.ts';
import { textOfRequest, textProblem } from './speech-text.ts';

const example = 'The gate is open. Mind the step, and welcome to the house.';

/** A text, and the model's voice for it. */
export function SpeechPanel() {
  const run = usePanelRun('speech');
  const text = useSpeech((state) => state.text);
  const wireNames = useSpeech((state) => state.wireNames);
  const { writeText, renameField, resetNames, restore } = useSpeech.getState();
  /** Only what the user has just started speaks by itself, not what a reload shows again. */
  const [startedId, setStartedId] = useState<string | null>(null);

  useReopened('speech', ({ request, wireNames: names }) =>
    restore({ text: textOfRequest(request), wireNames: names }),
  );

  async function start(spoken: string) {
    if (textProblem(spoken) !== null) return;
    setStartedId(await run.start({ input: spoken }, wireNames));
  }

  function runExample() {
    writeText(example);
    void start(example);
  }

  return (
    <PanelFrame
      title="Speech"
      pickers={<RunPickers operation="speech" />}
      sidebar={
        <ParameterSidebar
          operation="speech"
          errors={run.fieldErrors}
          wireNames={wireNames}
          onRename={renameField}
          onReset={resetNames}
        />
      }
      onRun={() => void start(text)}
      onStop={() => void run.stop()}
      running={run.running}
      runBusy={run.starting}
      runDisabledReason={
        run.form.blockedReason ?? (text === '' ? 'Write a text first.' : textProblem(text))
      }
    >
      <div className={styles.panel}>
        <SpeechForm text={text} errors={run.fieldErrors} onText={writeText} />
        {run.problem !== null && (
          <ErrorAlert error={run.problem} onRetry={() => void start(text)} />
        )}
        {run.runId === null ? (
          <ExampleResult
            icon={<SpeechIcon size={20} />}
            title="Write a text, and hear it spoken"
            blockedReason={run.form.blockedReason}
            onRun={runExample}
          >
            “{example}”
          </ExampleResult>
        ) : (
          <SpeechResult
            key={run.runId}
            runId={run.runId}
            autoPlay={run.runId === startedId}
            onRetry={run.form.ready === null ? undefined : (spoken) => void start(spoken)}
          />
        )}
      </div>
    </PanelFrame>
  );
}
