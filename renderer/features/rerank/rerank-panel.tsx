import { useRef } from 'react';
import { fieldMessage } from '../../lib/field-errors.ts';
import { useFocusOnReceived, useReceiver } from '../../media/hand-over/hand-over.ts';
import { useForm } from '../../run/form/use-form.ts';
import { ExampleResult } from '../../run/frame/empty-result.tsx';
import { panelBlock, showRunBlock } from '../../run/frame/run-block.ts';
import { lazyComparison, RunOutcome, RunPanel, SplitPanel } from '../../run/frame/run-panel.tsx';
import { usePanelRun } from '../../run/live/use-panel-run.ts';
import { RerankIcon } from '../../ui/icons/panels.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toText } from './documents.ts';
import { DocumentsForm } from './documents-form.tsx';
import { rerankExamples } from './rerank-examples.ts';
import { rerankForm as form, receiveDocuments } from './rerank-form.ts';
import { comparedRerank, toRerankFields } from './rerank-request.ts';
import { Ranking } from './rerank-result.tsx';

const Comparison = lazyComparison(
  async () => (await import('./rerank-compare.tsx')).rerankComparePanel,
);

export function RerankPanel() {
  const run = usePanelRun(form, comparedRerank);
  const queryBox = useRef<HTMLInputElement>(null);
  const query = useForm(form, ({ input }) => input.query);
  const noDocuments = useForm(form, ({ input }) => input.documents.trim() === '');
  const blocked =
    run.blocked ??
    panelBlock(query.trim() === '' ? 'Enter a query first.' : null) ??
    panelBlock(noDocuments ? 'Add at least one document.' : null);

  useReceiver('rerank', receiveDocuments);
  useFocusOnReceived('rerank', queryBox);

  function start() {
    void run.start(toRerankFields(form.state.getState().values.input));
  }

  const empty = (
    <ExampleResult
      icon={<RerankIcon size={20} />}
      title="Find the best match"
      blocked={run.blocked}
      examples={rerankExamples.map(({ title, query, documents }) => ({
        title,
        detail: `“${query}” in five documents`,
        onRun: () => void run.runExample({ query, documents: toText(documents) }),
      }))}
    />
  );

  return (
    <RunPanel title="Rerank" form={form} run={run} onRun={start} runBlocked={blocked}>
      <SplitPanel
        fields={
          <>
            <TextField
              ref={queryBox}
              label="Query"
              value={query}
              onValueChange={(text) => form.change({ input: { query: text } }, { typing: true })}
              error={fieldMessage(run.fieldErrors, 'query')}
              placeholder="Question or search terms"
              spellCheck
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
                if (event.ctrlKey || event.metaKey) return;
                event.preventDefault();
                // Ignore key repeat, because a fast gateway may respond before the next one.
                if (event.repeat || run.running || run.starting) return;
                if (blocked === null) start();
                else showRunBlock();
              }}
            />
            <DocumentsForm error={fieldMessage(run.fieldErrors, 'documents')} />
          </>
        }
      >
        <RunOutcome form={form} run={run} onRetry={start} Comparison={Comparison} empty={empty}>
          {(runId) => (
            <Ranking key={runId} runId={runId} onRetry={blocked === null ? start : showRunBlock} />
          )}
        </RunOutcome>
      </SplitPanel>
    </RunPanel>
  );
}
