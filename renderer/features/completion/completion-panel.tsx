import { useRef } from 'react';
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
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import styles from './completion.module.css';
import {
  completionForm as form,
  replaceInput,
  showChoice,
  writePrompt,
  writeSuffix,
} from './completion-form.ts';
import { CompletionResult } from './completion-result.tsx';
import { comparedCompletion, toCompletionFields, toCompletionInput } from './continuations.ts';

const examples = [
  {
    title: 'Continue a story',
    prompt: 'The lighthouse keeper had not expected visitors, least of all by balloon.',
    suffix: '',
  },
  {
    title: 'Fill in the middle',
    prompt: 'Dear neighbors,\n\n',
    suffix: '\n\nSee you on Sunday,\nMara',
  },
  {
    title: 'Complete code',
    prompt: '// The first n Fibonacci numbers.\nfunction fibonacci(n) {\n',
    suffix: '',
  },
];

const CompletionCompare = lazyComponent(
  async () => (await import('./completion-compare.tsx')).CompletionCompare,
);

export function CompletionPanel() {
  useLoaded(form);
  const run = usePanelRun(form, comparedCompletion);
  const prompt = useForm(form, ({ input }) => input.prompt);
  const suffix = useForm(form, ({ input }) => input.suffix);
  const promptBox = useRef<HTMLTextAreaElement>(null);

  useReopened('completion', ({ request }) => {
    form.change({ input: toCompletionInput(request) });
    showChoice(0);
  });

  async function start(requested: { prompt: string; suffix: string }) {
    const runId = await run.start(toCompletionFields(requested));
    if (runId !== null) showChoice(0);
  }

  function runExample(example: { prompt: string; suffix: string }) {
    replaceInput(example, 'Input replaced by the example');
    void start(example);
  }

  /** Appends the continuation to the prompt, focuses the prompt and keeps the result. */
  function continueFrom(text: string) {
    replaceInput({ prompt: text }, 'Continuation added to the prompt');
    const box = promptBox.current;
    box?.focus();
    requestAnimationFrame(() => {
      box?.setSelectionRange(text.length, text.length);
      box?.scrollTo(0, box.scrollHeight);
    });
  }

  const empty = (
    <ExampleResult
      icon={<CompletionIcon size={20} />}
      title="Write the beginning; the model continues it"
      blocked={run.blocked}
      examples={examples.map(({ title, prompt, suffix }) => ({
        title,
        detail: `“${[prompt.trim(), suffix.trim()].filter(Boolean).join(' … ')}”`,
        onRun: () => runExample({ prompt, suffix }),
      }))}
    />
  );

  return (
    <PanelFrame
      title="Completion"
      pickers={<RunPickers form={form} />}
      compare={run.compare}
      sidebar={<ParameterSidebar form={form} errors={run.fieldErrors} />}
      onRun={() => void start({ prompt, suffix })}
      onStop={() => void run.stop()}
      running={run.running}
      runBusy={run.starting}
      runBlocked={run.blocked}
    >
      <div className={styles.panel}>
        <div className={styles.form}>
          <TextArea
            ref={promptBox}
            label="Prompt"
            className={styles.promptField}
            value={prompt}
            onValueChange={writePrompt}
            error={fieldMessage(run.fieldErrors, 'prompt')}
            placeholder="Text to continue"
            autoGrow
            rows={3}
            maxRows={12}
          />
          <TextArea
            label="Suffix"
            className={styles.suffixField}
            value={suffix}
            onValueChange={writeSuffix}
            error={fieldMessage(run.fieldErrors, 'suffix')}
            placeholder="Text that follows the continuation (optional)"
            autoGrow
            rows={1}
            maxRows={6}
          />
        </div>
        <UndoBars place={form.id} className={styles.undo} />
        <FormProblem form={form} />
        {run.problem !== null && (
          <ErrorAlert
            error={run.problem}
            onRetry={run.retry ?? (() => void start({ prompt, suffix }))}
          />
        )}
        {run.compare.isOn ? (
          <CompletionCompare compare={run.compare} empty={empty} />
        ) : run.runId === null ? (
          empty
        ) : (
          <CompletionResult
            key={run.runId}
            runId={run.runId}
            prompt={prompt}
            onContinue={continueFrom}
            onRetry={(requested) => void start(requested)}
          />
        )}
      </div>
    </PanelFrame>
  );
}
