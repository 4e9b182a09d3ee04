import { useRef } from 'react';
import { fieldMessage } from '../../lib/field-errors.ts';
import { useFocusOnReceived, useReceiver } from '../../media/hand-over/hand-over.ts';
import { FormProblem } from '../../run/form/form-problem.tsx';
import { ParameterSidebar } from '../../run/form/parameter-sidebar.tsx';
import { useReopened } from '../../run/form/reopen.ts';
import { RunPickers } from '../../run/form/run-pickers.tsx';
import { useForm, useLoaded } from '../../run/form/use-form.ts';
import { ExampleResult } from '../../run/frame/empty-result.tsx';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { panelBlock, showRunBlock } from '../../run/frame/run-block.ts';
import { usePanelRun } from '../../run/live/use-panel-run.ts';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { RerankIcon } from '../../ui/icons/panels.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toText } from './documents.ts';
import { DocumentsForm } from './documents-form.tsx';
import styles from './rerank.module.css';
import { type RerankExample, rerankExamples } from './rerank-examples.ts';
import { rerankForm as form, receiveDocuments, replaceInput, writeQuery } from './rerank-form.ts';
import { comparedRerank, toRerankFields, toRerankInput } from './rerank-request.ts';
import { Ranking } from './rerank-result.tsx';

const RerankCompare = lazyComponent(
  async () => (await import('./rerank-compare.tsx')).RerankCompare,
);

export function RerankPanel() {
  useLoaded(form);
  const run = usePanelRun(form, comparedRerank);
  const queryBox = useRef<HTMLInputElement>(null);
  const query = useForm(form, ({ input }) => input.query);
  const noDocuments = useForm(form, ({ input }) => input.documents.trim() === '');
  const blocked =
    run.blocked ??
    panelBlock(query.trim() === '' ? 'Enter a query first.' : null) ??
    panelBlock(noDocuments ? 'Add at least one document.' : null);

  useReopened('rerank', ({ request }) => form.change({ input: toRerankInput(request) }));
  useReceiver('rerank', receiveDocuments);
  useFocusOnReceived('rerank', queryBox);

  function start() {
    void run.start(toRerankFields(form.state.getState().values.input));
  }

  function runExample({ query, documents }: RerankExample) {
    replaceInput(query, toText(documents), 'Input replaced by the example');
    start();
  }

  const empty = (
    <ExampleResult
      icon={<RerankIcon size={20} />}
      title="Find the best match"
      blocked={run.blocked}
      examples={rerankExamples.map((example) => ({
        title: example.title,
        detail: `“${example.query}” in five documents`,
        onRun: () => runExample(example),
      }))}
    />
  );

  return (
    <PanelFrame
      title="Rerank"
      pickers={<RunPickers form={form} />}
      compare={run.compare}
      sidebar={<ParameterSidebar form={form} errors={run.fieldErrors} />}
      onRun={start}
      onStop={() => void run.stop()}
      running={run.running}
      runBusy={run.starting}
      runBlocked={blocked}
    >
      <div className={styles.panel}>
        <div className={classNames(styles.form, 'stack-12')}>
          <TextField
            ref={queryBox}
            label="Query"
            value={query}
            onValueChange={writeQuery}
            error={fieldMessage(run.fieldErrors, 'query')}
            placeholder="Question or search terms"
            spellCheck
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
              if (event.ctrlKey || event.metaKey) return;
              event.preventDefault();
              // A fast gateway may respond before the next key repeat.
              if (event.repeat || run.running || run.starting) return;
              if (blocked === null) start();
              else showRunBlock();
            }}
          />
          <DocumentsForm error={fieldMessage(run.fieldErrors, 'documents')} />
        </div>
        <div className={classNames(styles.outcome, 'stack-12')}>
          <FormProblem form={form} />
          {run.problem !== null && <ErrorAlert error={run.problem} onRetry={run.retry ?? start} />}
          {run.compare.isOn ? (
            <RerankCompare compare={run.compare} empty={empty} />
          ) : run.runId === null ? (
            empty
          ) : (
            <Ranking
              key={run.runId}
              runId={run.runId}
              onRetry={blocked === null ? start : showRunBlock}
            />
          )}
        </div>
      </div>
    </PanelFrame>
  );
}
