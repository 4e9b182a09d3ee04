import { findFieldMessage } from '../../lib/field-errors.ts';
import { toText } from '../../run/form/documents/documents.ts';
import { DocumentsForm, FoldedDocuments } from '../../run/form/documents/documents-form.tsx';
import { createPanelBlock, showRunBlock } from '../../run/form/run-block.ts';
import { useForm } from '../../run/form/use-form.ts';
import { ExampleResult } from '../../run/frame/empty-result.tsx';
import { EarlierResults } from '../../run/panel/earlier-results.tsx';
import { lazyComparison, RunOutcome, RunPanel, SplitPanel } from '../../run/panel/run-panel.tsx';
import { usePanelRun } from '../../run/panel/use-panel-run.ts';
import { RequestFields } from '../../run/views/request-fields.tsx';
import { EmbeddingsIcon } from '../../ui/icons/panels.tsx';
import { embeddingsInputs, embeddingsForm as form, useEmbeddingsViews } from './embeddings-form.ts';
import { comparedEmbeddings, toEmbeddingsFields } from './embeddings-request.ts';
import { EmbeddingsResult } from './embeddings-result.tsx';
import { InputImages } from './input-images.tsx';

const Comparison = lazyComparison(
  async () => (await import('./embeddings-compare.tsx')).embeddingsComparePanel,
);

export function EmbeddingsPanel() {
  const run = usePanelRun(form, comparedEmbeddings);
  const text = useForm(form, ({ input }) => input.texts);
  const imageCount = useForm(form, ({ input }) => input.imageIds.length);
  const view = useEmbeddingsViews((views) => views.inputsView);
  const isEmpty = text.trim() === '' && imageCount === 0;
  const blocked = run.blocked ?? createPanelBlock(isEmpty ? 'Add at least one input.' : null);
  const isCompared = run.compare.isOn && run.compare.comparisonId !== null;

  function start() {
    void run.start(toEmbeddingsFields(form.state.getState().values.input));
  }

  const error = findFieldMessage(run.fieldErrors, 'input');
  const inputs = (
    <DocumentsForm
      source={embeddingsInputs}
      text={text}
      view={view}
      onView={(inputsView) => useEmbeddingsViews.setState({ inputsView })}
      error={error}
    />
  );
  const empty = (
    <ExampleResult
      icon={<EmbeddingsIcon size={20} />}
      title="See which texts are similar"
      blocked={run.blocked}
      examples={embeddingsExamples.map(({ title, detail, texts }) => ({
        title,
        detail,
        onRun: () => void run.runExample({ texts: toText(texts), imageIds: [] }),
      }))}
    />
  );

  return (
    <RunPanel title="Embeddings" form={form} run={run} onRun={start} runBlocked={blocked}>
      <SplitPanel
        isStacked={isCompared}
        fields={
          <RequestFields viewed={run.viewed} blocked={blocked} onRun={start}>
            {isCompared ? (
              <FoldedDocuments noun="input" text={text} error={error}>
                {inputs}
              </FoldedDocuments>
            ) : (
              inputs
            )}
            <InputImages />
          </RequestFields>
        }
      >
        <RunOutcome form={form} run={run} onRetry={start} Comparison={Comparison} empty={empty}>
          {(runId) => (
            <EmbeddingsResult
              key={runId}
              runId={runId}
              onRetry={blocked === null ? start : showRunBlock}
            />
          )}
        </RunOutcome>
        {!run.compare.isOn && <EarlierResults form={form} shownId={run.runId} />}
      </SplitPanel>
    </RunPanel>
  );
}

interface EmbeddingsExample {
  title: string;
  detail: string;
  texts: readonly string[];
}

const embeddingsExamples: readonly EmbeddingsExample[] = [
  {
    title: 'Group sentences',
    detail: 'Nine sentences about bread, boats and weather',
    texts: [
      'Feed the sourdough starter with flour and water.',
      'The sourdough bread needs flour, water and salt.',
      'Rye flour makes a dense bread.',
      'The boat sails at seven from the old harbor.',
      'Two boats wait in the harbor for wind.',
      'The harbor opens its bridge for boats at noon.',
      'Heavy rain and wind are expected tonight.',
      'The rain stops and the wind turns north.',
      'Tomorrow brings sun after the rain.',
    ],
  },
  {
    title: 'Find duplicates',
    detail: 'Six support questions, some asked twice',
    texts: [
      'I forgot my password',
      'How do I reset a forgotten password?',
      'Where is my invoice?',
      'I need the invoice for last month',
      'Change the email address of my account',
      'How can I change my account’s email address?',
    ],
  },
];
