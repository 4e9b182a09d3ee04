import type { FieldError } from '../../../shared/errors.ts';
import { fieldMessage } from '../../lib/field-errors.ts';
import { FormProblem } from '../../run/form/form-problem.tsx';
import { ParameterSidebar } from '../../run/form/parameter-sidebar.tsx';
import { useReopened } from '../../run/form/reopen.ts';
import { RunPickers } from '../../run/form/run-pickers.tsx';
import { useForm, useLoaded } from '../../run/form/use-form.ts';
import { ExampleResult } from '../../run/frame/empty-result.tsx';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { usePanelRun } from '../../run/live/use-panel-run.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { CompletionIcon } from '../../ui/icons/panels.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import styles from './completion-panel.module.css';
import { CompletionResult, requestedCompletion } from './completion-result.tsx';
import {
  completionForm as form,
  restore,
  showChoice,
  writePrompt,
  writeSuffix,
} from './completion-store.ts';

const example = 'The lighthouse keeper had not expected visitors, least of all by balloon.';

/** A prompt, and what the model writes after it. */
export function CompletionPanel() {
  useLoaded(form);
  const run = usePanelRun(form);
  const prompt = useForm(form, ({ input }) => input.prompt);
  const suffix = useForm(form, ({ input }) => input.suffix);
  const { blockedReason } = run;

  useReopened('completion', ({ request }) =>
    restore(requestedCompletion({ request, extraBody: {} })),
  );

  async function start(requested: { prompt: string; suffix: string }) {
    const runId = await run.start({
      prompt: requested.prompt,
      ...(requested.suffix !== '' && { suffix: requested.suffix }),
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
      pickers={<RunPickers form={form} />}
      sidebar={<ParameterSidebar form={form} errors={run.fieldErrors} />}
      onRun={() => void start({ prompt, suffix })}
      onStop={() => void run.stop()}
      running={run.running}
      runBusy={run.starting}
      runDisabledReason={blockedReason ?? (prompt === '' ? 'Enter a prompt first.' : null)}
    >
      <div className={styles.panel}>
        <PromptForm
          prompt={prompt}
          suffix={suffix}
          errors={run.fieldErrors}
          onPrompt={writePrompt}
          onSuffix={writeSuffix}
        />
        <FormProblem form={form} />
        {run.problem !== null && (
          <ErrorAlert error={run.problem} onRetry={() => void start({ prompt, suffix })} />
        )}
        {run.runId === null ? (
          <ExampleResult
            icon={<CompletionIcon size={20} />}
            title="Write the beginning; the model continues it"
            blockedReason={blockedReason}
            examples={[{ title: 'Run an example', detail: `“${example}”`, onRun: runExample }]}
          />
        ) : (
          <CompletionResult
            key={run.runId}
            runId={run.runId}
            onRetry={run.ready === null ? undefined : (requested) => void start(requested)}
          />
        )}
      </div>
    </PanelFrame>
  );
}

interface PromptFormProps {
  prompt: string;
  suffix: string;
  errors: readonly FieldError[];
  onPrompt: (prompt: string) => void;
  onSuffix: (suffix: string) => void;
}

function PromptForm({ prompt, suffix, errors, onPrompt, onSuffix }: PromptFormProps) {
  return (
    <div className={styles.form}>
      <TextArea
        label="Prompt"
        className={styles.prompt}
        value={prompt}
        onValueChange={onPrompt}
        error={fieldMessage(errors, 'prompt')}
        placeholder="Text to continue"
        autoGrow
        rows={3}
        maxRows={12}
      />
      <TextArea
        label="Suffix"
        className={styles.suffix}
        value={suffix}
        onValueChange={onSuffix}
        error={fieldMessage(errors, 'suffix')}
        placeholder="Text that follows the continuation (optional)"
        autoGrow
        rows={1}
        maxRows={6}
      />
    </div>
  );
}
