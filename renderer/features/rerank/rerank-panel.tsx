import { useRef } from 'react';
import { findFieldMessage } from '../../lib/field-errors.ts';
import { useFocusOnReceived, useReceiver } from '../../media/hand-over/hand-over.ts';
import { toText } from '../../run/form/documents/documents.ts';
import { DocumentsForm, FoldedDocuments } from '../../run/form/documents/documents-form.tsx';
import { createPanelBlock, showRunBlock } from '../../run/form/run-block.ts';
import { useForm } from '../../run/form/use-form.ts';
import { ExampleResult } from '../../run/frame/empty-result.tsx';
import { EarlierResults } from '../../run/panel/earlier-results.tsx';
import { lazyComparison, RunOutcome, RunPanel, SplitPanel } from '../../run/panel/run-panel.tsx';
import { usePanelRun } from '../../run/panel/use-panel-run.ts';
import { RequestFields } from '../../run/views/request-fields.tsx';
import { RerankIcon } from '../../ui/icons/panels.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { rerankExamples } from './rerank-examples.ts';
import {
  rerankForm as form,
  receiveDocuments,
  rerankDocuments,
  showDocumentsAs,
  useRerankViews,
} from './rerank-form.ts';
import { rerankLabels } from './rerank-labels.ts';
import { comparedRerank, toRerankFields } from './rerank-request.ts';
import { Ranking } from './rerank-result.tsx';

const Comparison = lazyComparison(
  async () => (await import('./rerank-compare.tsx')).rerankComparePanel,
);

export function RerankPanel() {
  const run = usePanelRun(form, comparedRerank);
  const queryBox = useRef<HTMLInputElement>(null);
  const query = useForm(form, ({ input }) => input.query);
  const documents = useForm(form, ({ input }) => input.documents);
  const blocked =
    run.blocked ??
    createPanelBlock(query.trim() === '' ? 'Enter a query first.' : null) ??
    createPanelBlock(documents.trim() === '' ? 'Add at least one document.' : null);

  const documentsError = findFieldMessage(run.fieldErrors, 'documents');
  const isCompared = run.compare.isOn && run.compare.comparisonId !== null;

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
        isStacked={isCompared}
        fields={
          <RequestFields viewed={run.viewed} blocked={blocked} onRun={start}>
            <TextField
              ref={queryBox}
              label={rerankLabels.query}
              value={query}
              onValueChange={(text) => form.change({ input: { query: text } }, { typing: true })}
              error={findFieldMessage(run.fieldErrors, 'query')}
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
            {isCompared ? (
              <FoldedDocuments noun="document" text={documents} error={documentsError}>
                <Documents error={documentsError} />
              </FoldedDocuments>
            ) : (
              <Documents error={documentsError} />
            )}
          </RequestFields>
        }
      >
        <RunOutcome form={form} run={run} onRetry={start} Comparison={Comparison} empty={empty}>
          {(runId) => (
            <Ranking key={runId} runId={runId} onRetry={blocked === null ? start : showRunBlock} />
          )}
        </RunOutcome>
        {!run.compare.isOn && <EarlierResults form={form} shownId={run.runId} />}
      </SplitPanel>
    </RunPanel>
  );
}

function Documents({ error }: { error: string | null }) {
  const text = useForm(form, ({ input }) => input.documents);
  const view = useRerankViews((views) => views.documentsView);
  return (
    <DocumentsForm
      source={rerankDocuments}
      text={text}
      view={view}
      onView={showDocumentsAs}
      error={error}
    />
  );
}
