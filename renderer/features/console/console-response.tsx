import { isFinished, type RunEventKind } from '../../../shared/run.ts';
import type { RunView } from '../../../shared/run-view.ts';
import { formatBytes, pluralize } from '../../lib/format-quantity.ts';
import { getMediaTitle } from '../../media/players/describe-media.ts';
import { MediaView } from '../../media/players/media-view.tsx';
import { FactTable } from '../../run/body/fact-table.tsx';
import { BodyHead, TextPane, useBodyView } from '../../run/body/text-pane.tsx';
import { ResultContent, ResultFrame } from '../../run/frame/result-frame.tsx';
import { RunFigures } from '../../run/frame/run-figures.tsx';
import { useRun } from '../../run/live/live-runs.ts';
import { useRunEvents } from '../../run/live/use-run-events.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './console.module.css';

const kinds: readonly RunEventKind[] = ['response'];

interface ConsoleResponseProps {
  runId: string;
  onRetry: (() => void) | undefined;
}

export function ConsoleResponse({ runId, onRetry }: ConsoleResponseProps) {
  const view = useRun('console', runId);
  const { events } = useRunEvents(runId, view?.seq ?? 0, kinds);
  const response = events.findLast((event) => event.kind === 'response');
  if (view === null) return null;
  const { media, status, contentType, upload } = view.state;
  return (
    <ResultFrame
      run={view}
      fills
      figures={
        <>
          <code className={classNames(styles.request, 'truncate mono')}>{view.preview}</code>
          {status !== null && (
            <span className={classNames(styles.status, 'mono fixed')}>HTTP {status}</span>
          )}
          {contentType !== null && (
            <code className={classNames(styles.type, 'truncate mono')}>{contentType}</code>
          )}
          <RunFigures run={view} />
        </>
      }
    >
      <ResultContent
        error={view.error}
        failedAt={view.finishedAt}
        noResult={null}
        warnings={[]}
        onRetry={onRetry}
      />
      {upload !== null && !isFinished(view.status) && (
        <p className={styles.notice}>Sent {formatBytes(upload.doneBytes)}</p>
      )}
      {response !== undefined && (
        <details className={styles.headers}>
          <summary>{pluralize(response.headers.length, 'response header')}</summary>
          <FactTable label="Response headers" facts={response.headers} />
        </details>
      )}
      {media !== null && (
        <div className={styles.media}>
          <MediaView media={media} title={getMediaTitle(media)} />
        </div>
      )}
      <ResponseBody view={view} />
    </ResultFrame>
  );
}

function ResponseBody({ view }: { view: RunView<'console'> }) {
  const { text, truncated, frameCount, media } = view.state;
  const body = useBodyView(text ?? '');
  if (text === null || text === '') {
    const isEmpty = isFinished(view.status) && media === null && view.error === null;
    return isEmpty ? <p className={styles.notice}>The response has no body.</p> : null;
  }
  const notes = [
    frameCount > 0 ? `stream of ${pluralize(frameCount, 'event')}` : null,
    truncated ? 'truncated' : null,
  ].filter((note) => note !== null);
  return (
    <TextPane
      label="Response"
      text={text}
      json={body.json}
      head={
        <BodyHead
          title="Body"
          text={text}
          view={body}
          note={notes.length > 0 ? notes.join(', ') : undefined}
        />
      }
    />
  );
}
