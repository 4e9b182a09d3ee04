import { PanelFrame } from '../../run/panel-frame.tsx';
import { ParameterSidebar } from '../../run/parameter-sidebar.tsx';
import { RunPickers } from '../../run/run-pickers.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import styles from './completion.module.css';
import { CompletionExample } from './completion-example.tsx';
import { useCompletion } from './completion-store.ts';
import { PromptForm } from './prompt-form.tsx';
import { ShownResult } from './shown-result.tsx';
import { useCompletionRun } from './use-completion-run.ts';

/** A prompt, and what the model writes after it. */
export function CompletionPanel() {
  const run = useCompletionRun();
  const prompt = useCompletion((state) => state.prompt);
  const suffix = useCompletion((state) => state.suffix);
  const { writePrompt, writeSuffix } = useCompletion.getState();
  const { blockedReason } = run.form;
  const fieldErrors = run.problem?.kind === 'invalid-request' ? run.problem.fields : [];

  function runExample(example: string) {
    writePrompt(example);
    void run.start(example);
  }

  return (
    <PanelFrame
      title="Completion"
      pickers={<RunPickers operation="completion" />}
      sidebar={<ParameterSidebar operation="completion" errors={fieldErrors} />}
      onRun={() => void run.start(prompt)}
      onStop={() => void run.stop()}
      running={run.running}
      runBusy={run.starting}
      runDisabledReason={blockedReason ?? (prompt === '' ? 'Write a prompt first.' : null)}
    >
      <div className={styles.panel}>
        <PromptForm
          prompt={prompt}
          suffix={suffix}
          errors={fieldErrors}
          onPrompt={writePrompt}
          onSuffix={writeSuffix}
        />
        {run.problem !== null && (
          <ErrorAlert error={run.problem} onRetry={() => void run.start(prompt)} />
        )}
        {run.shown === null ? (
          <CompletionExample blockedReason={blockedReason} onExample={runExample} />
        ) : (
          <ShownResult
            key={run.shown.runId}
            shown={run.shown}
            onRetry={
              run.form.ready === null
                ? undefined
                : () => void run.start(run.shown?.prompt ?? prompt)
            }
          />
        )}
      </div>
    </PanelFrame>
  );
}
