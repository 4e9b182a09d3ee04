import { useDeferredValue } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { Exchange } from '../../../shared/exchange.ts';
import type { Media } from '../../../shared/media.ts';
import type { RunResponse } from '../../../shared/operations/operation.ts';
import type { RunEventKind } from '../../../shared/run.ts';
import { getResponse } from '../../../shared/run-view.ts';
import { getMediaTitle } from '../../media/players/describe-media.ts';
import { MediaFacts } from '../../media/players/media-details.tsx';
import { MediaView } from '../../media/players/media-view.tsx';
import { FactTable } from '../../run/body/fact-table.tsx';
import { BodyHead, TextPane, useBodyView } from '../../run/body/text-pane.tsx';
import { NoResult } from '../../run/frame/empty-result.tsx';
import { useRunView } from '../../run/live/live-runs.ts';
import { useRunEvents } from '../../run/live/use-run-events.ts';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import styles from './inspector.module.css';

const kinds: readonly RunEventKind[] = ['response', 'body', 'media'];

interface ResponseTabProps {
  runId: string;
  exchange: Exchange;
  /** True if this is the run's only exchange, so the run's result belongs to it. */
  isOnly: boolean;
  /** The last exchange also shows the run's error. */
  isLast: boolean;
}

export function ResponseTab({ runId, exchange, isOnly, isLast }: ResponseTabProps) {
  // Defer rendering, because assembling a long stream would block the panel.
  const view = useDeferredValue(useRunView(runId));
  const { events, isRead, problem, retry } = useRunEvents(
    runId,
    view?.seq ?? 0,
    kinds,
    exchange.number,
  );
  const response = events.find((event) => event.kind === 'response');
  const document = events.find((event) => event.kind === 'body');
  const media = events.findLast((event) => event.kind === 'media')?.media ?? null;
  const body = useBodyView(document?.text ?? '');
  if (view === null) return null;
  if (problem !== null) return <ErrorAlert error={problem} onRetry={retry} />;

  const { ending } = exchange;
  const error = (isLast ? view.error : null) ?? ending?.error ?? null;
  const parsedResponse = isOnly ? getResponse(view) : null;
  const sections = isRead && document === undefined ? (parsedResponse?.sections ?? []) : [];
  const joinedText = sections
    .map(({ title, text }) => (sections.length > 1 ? `— ${title} —\n${text}` : text))
    .join('\n\n');
  // The user may have renamed the file in the library.
  const currentName = view.media.find(({ id }) => id === media?.id)?.name;
  const isFile = document === undefined && sections.length === 0 && media !== null;
  return (
    <TextPane
      label="Response"
      text={document?.text ?? joinedText}
      json={document === undefined ? null : body.json}
      aside={
        <>
          {error !== null && (
            <ErrorAlert error={document === undefined ? error : omitReason(error)} />
          )}
          {isLast && view.figures?.noResult != null && <NoResult reason={view.figures.noResult} />}
          {error === null && ending?.status === 'interrupted' && (
            <p className={styles.warning}>Gatehouse closed before this response was complete.</p>
          )}
          {response !== undefined && (
            <>
              {error?.gateway?.status !== response.status && (
                <div className={classNames(styles.target, 'row-8')}>
                  <span className={classNames(styles.method, 'mono fixed')}>
                    HTTP {response.status}
                  </span>
                </div>
              )}
              <h3 className="heading">Headers</h3>
              <FactTable label="Response headers" facts={response.headers} />
            </>
          )}
          {exchange.status === null && ending === null && (
            <p className={classNames(styles.note, 'hint grow')}>Waiting for response…</p>
          )}
          {parsedResponse !== null && (
            <ResponseDetails facts={parsedResponse.facts} warnings={parsedResponse.warnings} />
          )}
        </>
      }
      head={
        <>
          {document !== undefined && (
            <BodyHead
              title="Body"
              text={document.text}
              view={body}
              note={document.truncated ? 'truncated' : undefined}
            />
          )}
          {sections.length > 0 && (
            <div className={classNames(styles.titleRow, 'row-8')}>
              <h3 className="heading">{sections.length === 1 ? sections[0]?.title : 'Text'}</h3>
              <span className={classNames(styles.note, 'hint grow')}>
                Assembled from the stream; see Events
              </span>
              <CopyButton label="Copy text" content={() => joinedText} />
            </div>
          )}
          {isFile && <ResponseFile media={{ ...media, name: currentName ?? media.name }} />}
        </>
      }
    />
  );
}

/** Leaves out the gateway's reason, which the body beside the error shows. */
function omitReason(error: AppError): AppError {
  const said = error.gateway?.message?.trim().replace(/\.$/, '') ?? '';
  const start = said === '' ? -1 : error.message.indexOf(`: ${said}`);
  return start === -1 ? error : { ...error, message: `${error.message.slice(0, start)}.` };
}

function ResponseFile({ media }: { media: Media }) {
  return (
    <section className={classNames(styles.file, 'stack-8')} aria-label="File">
      <div className={classNames(styles.titleRow, 'row-8')}>
        <h3 className="heading">{getMediaTitle(media)}</h3>
        <MediaFacts media={media} />
      </div>
      {media.complete ? (
        <MediaView media={media} title={getMediaTitle(media)} />
      ) : (
        <p className={classNames(styles.note, 'hint grow')}>Download in progress…</p>
      )}
    </section>
  );
}

function ResponseDetails({ facts, warnings }: Pick<RunResponse, 'facts' | 'warnings'>) {
  if (facts.length === 0 && warnings.length === 0) return null;
  return (
    <>
      <h3 className="heading">Summary</h3>
      <FactTable label="Summary" facts={facts} />
      {warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
    </>
  );
}
