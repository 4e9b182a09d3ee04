import { useRef } from 'react';
import { findFieldMessage } from '../../lib/field-errors.ts';
import { useForm } from '../../run/form/use-form.ts';
import { ExampleResult } from '../../run/frame/empty-result.tsx';
import { EarlierResults } from '../../run/panel/earlier-results.tsx';
import { lazyComparison, PanelScroller, RunOutcome, RunPanel } from '../../run/panel/run-panel.tsx';
import { usePanelRun } from '../../run/panel/use-panel-run.ts';
import { RequestFields } from '../../run/views/request-fields.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CompletionIcon } from '../../ui/icons/panels.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import styles from './completion.module.css';
import { completionForm as form, replaceInput } from './completion-form.ts';
import { completionLabels } from './completion-labels.ts';
import { CompletionResult } from './completion-result.tsx';
import { comparedCompletion, toCompletionFields } from './continuations.ts';

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

const Comparison = lazyComparison(
  async () => (await import('./completion-compare.tsx')).completionComparePanel,
);

export function CompletionPanel() {
  const run = usePanelRun(form, comparedCompletion);
  const prompt = useForm(form, ({ input }) => input.prompt);
  const suffix = useForm(form, ({ input }) => input.suffix);
  const promptBox = useRef<HTMLTextAreaElement>(null);
  const start = () => void run.start(toCompletionFields({ prompt, suffix }));

  /** Appends the continuation to the prompt and focuses the prompt; the result stays. */
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
      examples={examples.map(({ title, ...input }) => ({
        title,
        detail: `“${[input.prompt.trim(), input.suffix.trim()].filter(Boolean).join(' … ')}”`,
        onRun: () => void run.runExample(input),
      }))}
    />
  );

  return (
    <RunPanel title="Completion" form={form} run={run} onRun={start}>
      <PanelScroller>
        <RequestFields viewed={run.viewed} blocked={run.blocked} onRun={start}>
          <div className={classNames(styles.form, 'stack-12 fixed')}>
            <TextArea
              ref={promptBox}
              label={completionLabels.prompt}
              className={styles.promptField}
              value={prompt}
              onValueChange={(text) => form.change({ input: { prompt: text } }, { typing: true })}
              error={findFieldMessage(run.fieldErrors, 'prompt')}
              placeholder="Text to continue"
              autoGrow
              rows={3}
              maxRows={12}
            />
            <TextArea
              label={completionLabels.suffix}
              className={styles.suffixField}
              value={suffix}
              onValueChange={(text) => form.change({ input: { suffix: text } }, { typing: true })}
              error={findFieldMessage(run.fieldErrors, 'suffix')}
              placeholder="Text that follows the continuation (optional)"
              autoGrow
              rows={1}
              maxRows={6}
            />
          </div>
        </RequestFields>
        <UndoBars place={form.id} className={styles.undo} />
        <RunOutcome form={form} run={run} onRetry={start} Comparison={Comparison} empty={empty}>
          {(runId) => (
            <CompletionResult
              key={runId}
              runId={runId}
              prompt={prompt}
              onContinue={continueFrom}
              onRetry={(sent) => void run.start(toCompletionFields(sent))}
            />
          )}
        </RunOutcome>
        {!run.compare.isOn && <EarlierResults form={form} shownId={run.runId} />}
      </PanelScroller>
    </RunPanel>
  );
}
