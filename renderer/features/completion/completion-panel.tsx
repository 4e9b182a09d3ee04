import { ParameterSidebar } from '../../run/form/parameter-sidebar.tsx';
import { useReopened } from '../../run/form/reopen.ts';
import { RunPickers } from '../../run/form/run-pickers.tsx';
import { ExampleResult } from '../../run/frame/empty-result.tsx';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { usePanelRun } from '../../run/live/use-panel-run.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { CompletionIcon } from '../../ui/icons/panels.tsx';
import styles from './completion.module.css';
import { askedCompletion, CompletionResult } from './completion-result.tsx';
import { useCompletion } from './completion-store.ts';
import { PromptForm } from './prompt-form.tsx';

const example = 'The lighthouse keeper had not expected visitors, least of all by balloon.';

/** A prompt, and what the model writes after it. */
export function CompletionPanel() {
  const run = usePanelRun('completion');
  const prompt = useCompletion((state) => state.prompt);
  const suffix = useCompletion((state) => state.suffix);
  const { writePrompt, writeSuffix, showChoice, restore } = useCompletion.getState();
  const { blockedReason } = run.form;

  useReopened('completion', ({ request }) => restore(askedCompletion({ request, extraBody: {} })));

  async function start(asked: { prompt: string; suffix: string }) {
    const runId = await run.start({
      prompt: asked.prompt,
      ...(asked.suffix !== '' && { suffix: asked.suffix }),
    });
    if (runId !== null) showChoice(0);
  }

  function runExample() {
    writePrompt(example);
    void start({ prompt: example, suffix });
  }

  return (
    <PanelFrame
      title="Completion"
      pickers={<RunPickers operation="completion" />}
      sidebar={<ParameterSidebar operation="completion" errors={run.fieldErrors} />}
      onRun={() => void start({ prompt, suffix })}
      onStop={() => void run.stop()}
      running={run.running}
      runBusy={run.starting}
      runDisabledReason={blockedReason ?? (prompt === '' ? 'Write a prompt first.' : null)}
    >
      <div className={styles.panel}>
        <PromptForm
          prompt={prompt}
          suffix={suffix}
          errors={run.fieldErrors}
          onPrompt={writePrompt}
          onSuffix={writeSuffix}
        />
        {run.problem !== null && (
          <ErrorAlert error={run.problem} onRetry={() => void start({ prompt, suffix })} />
        )}
        {run.runId === null ? (
          <ExampleResult
            icon={<CompletionIcon size={20} />}
            title="Start a text, and the model goes on"
            blockedReason={blockedReason}
            onRun={runExample}
          >
            “{example}”
          </ExampleResult>
        ) : (
          <CompletionResult
            key={run.runId}
            runId={run.runId}
            onRetry={run.form.ready === null ? undefined : (asked) => void start(asked)}
          />
        )}
      </div>
    </PanelFrame>
  );
}
