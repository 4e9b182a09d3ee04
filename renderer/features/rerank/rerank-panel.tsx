import { fieldMessage } from '../../lib/app-error.ts';
import { ParameterSidebar } from '../../run/form/parameter-sidebar.tsx';
import { useReopened } from '../../run/form/reopen.ts';
import { RunPickers } from '../../run/form/run-pickers.tsx';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { usePanelRun } from '../../run/live/use-panel-run.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { documentsOf, textOf, toText } from './documents.ts';
import { DocumentsForm } from './documents-form.tsx';
import { sentDocuments } from './ranking.ts';
import { Ranking } from './ranking.tsx';
import styles from './rerank.module.css';
import { exampleDocuments, exampleQuery, RerankExample } from './rerank-example.tsx';
import { useRerank } from './rerank-store.ts';

/** A query and documents, and how well each answers it. */
export function RerankPanel() {
  const run = usePanelRun('rerank');
  const query = useRerank((state) => state.query);
  const noDocuments = useRerank((state) => state.documents.trim() === '');
  const { writeQuery, writeDocuments } = useRerank.getState();
  const blockedReason =
    run.form.blockedReason ??
    (query.trim() === '' ? 'Write a query first.' : null) ??
    (noDocuments ? 'Add at least one document.' : null);

  useReopened('rerank', ({ request }) => {
    writeQuery(typeof request.query === 'string' ? request.query : '');
    const documents = sentDocuments({ request, extraBody: {} });
    writeDocuments(toText(documents.flatMap((document) => textOf(document) ?? [])));
  });

  function start() {
    const asked = useRerank.getState();
    void run.start({ query: asked.query, documents: documentsOf(asked.documents) });
  }

  function runExample() {
    writeQuery(exampleQuery);
    writeDocuments(toText(exampleDocuments));
    start();
  }

  return (
    <PanelFrame
      title="Rerank"
      pickers={<RunPickers operation="rerank" />}
      sidebar={<ParameterSidebar operation="rerank" errors={run.fieldErrors} />}
      onRun={start}
      onStop={() => void run.stop()}
      running={run.running}
      runBusy={run.starting}
      runDisabledReason={blockedReason}
    >
      <div className={styles.panel}>
        <div className={styles.form}>
          <TextField
            label="Query"
            value={query}
            onValueChange={writeQuery}
            error={fieldMessage(run.fieldErrors, 'query')}
            placeholder="What the documents should answer"
          />
          <DocumentsForm error={fieldMessage(run.fieldErrors, 'documents')} />
        </div>
        <div className={styles.outcome}>
          {run.problem !== null && <ErrorAlert error={run.problem} onRetry={start} />}
          {run.runId === null ? (
            <RerankExample blockedReason={run.form.blockedReason} onExample={runExample} />
          ) : (
            <Ranking
              key={run.runId}
              runId={run.runId}
              onRetry={blockedReason === null ? start : undefined}
            />
          )}
        </div>
      </div>
    </PanelFrame>
  );
}
