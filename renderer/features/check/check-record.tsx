import type {
  Check,
  CheckFormat,
  CheckProgress,
  ListedCheck,
  StopReason,
} from '../../../shared/checks/check.ts';
import { createOutputStem } from '../../../shared/output-name.ts';
import { api } from '../../lib/api.ts';
import { formatDate, pluralize } from '../../lib/format-quantity.ts';
import { offerUndo } from '../../lib/undo.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { saveBlob } from '../../media/players/download-button.tsx';
import { checkStateLabels, showCheck } from '../../run/check/listed-check.ts';
import { RunError } from '../../run/frame/run-error.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon, PlayIcon } from '../../ui/icons/actions.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { Progress } from '../../ui/progress.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import styles from './check.module.css';
import { formatCost } from './check-plan.tsx';
import { LoadResult } from './load-result.tsx';
import { ProbeMatrix } from './probe-matrix.tsx';
import type { LiveCheck } from './use-check.ts';

/** Says why a check ended early, unless the user stopped it. */
const stopLabels: Record<Exclude<StopReason, 'user'>, string> = {
  requests: 'Ended at the limit of requests.',
  seconds: 'Ended at the time limit.',
  cost: 'Ended at the cost limit.',
  errors: 'Ended because too many requests failed.',
};

const exportFormats: readonly [format: CheckFormat, label: string, extension: string][] = [
  ['markdown', 'Export as Markdown', 'md'],
  ['csv', 'Export as CSV', 'csv'],
  ['json', 'Export as JSON', 'json'],
];

interface CheckRecordProps {
  live: LiveCheck;
  checks: readonly ListedCheck[];
}

/** Shows a check's progress and results. */
export function CheckRecord({ live: { check, progress, heldBy }, checks }: CheckRecordProps) {
  const { id, title, body, createdAt } = check;
  const acting = useAttempt();
  const resuming = useAttempt();
  const { state, ended, requests } = progress;
  const canResume = (state === 'held' || state === 'stopped') && ended < requests;
  const resume = (overCap: boolean) =>
    void resuming.attempt(() => api.checks.resume({ id, overCap }));
  const error = acting.error ?? resuming.error ?? heldBy;
  const undoPlace = `check ${id}`;
  const stopped = state === 'running' ? null : body.stopped;

  async function removeRuns() {
    const { deletionId } = await api.checks.remove({ id, keepsResults: true });
    offerUndo({ message: 'Runs deleted', place: undoPlace, undo: deletionId });
  }

  const exports = exportFormats.map(
    ([format, label, extension]): MenuItem => ({
      id: format,
      label,
      onSelect: () => void acting.attempt(() => exportCheck(check, format, extension)),
    }),
  );

  return (
    <section className="stack-12" aria-label="Result">
      <header className={styles.recordHead}>
        <div className="stack-4 grow">
          <h2 className={styles.title}>{title}</h2>
          <p className="wrap-12 caption">
            <StatusMark {...checkStateLabels[state]} />
            <span>{body.connectionName}</span>
            <time dateTime={new Date(createdAt).toISOString()}>{formatDate(createdAt)}</time>
            <span className="tabular">{describeProgress(progress, body)}</span>
          </p>
        </div>
        {canResume && (
          <Button icon={<PlayIcon size={14} />} busy={resuming.busy} onClick={() => resume(false)}>
            Resume
          </Button>
        )}
        <Menu
          label="More actions"
          items={[
            ...exports,
            'separator',
            {
              id: 'runs',
              label: 'Delete runs, keep results',
              danger: true,
              disabled: state === 'running',
              onSelect: () => void acting.attempt(removeRuns),
            },
          ]}
        />
        <IconButton
          label="Close result"
          icon={<CloseIcon />}
          onClick={() => showCheck(body.kind, null)}
        />
      </header>
      <UndoBars place={undoPlace} />
      {state === 'running' && <Progress label="Requests" value={ended} max={requests} />}
      <p role="status" className="visually-hidden">
        {checkStateLabels[state].label}
      </p>
      {error !== null && (
        <RunError
          compact
          error={error}
          onRetry={canResume ? () => resume(error.kind === 'beyond-cap') : undefined}
        />
      )}
      {stopped !== null && stopped !== 'user' && <p className="caption">{stopLabels[stopped]}</p>}
      {body.kind === 'probe' ? (
        <ProbeMatrix check={check} body={body} isRunning={state === 'running'} checks={checks} />
      ) : (
        <LoadResult body={body} />
      )}
    </section>
  );
}

/** Says how many requests were a warm-up, because the table leaves them out. */
function describeProgress(
  { requests, ended, failed, dollars }: CheckProgress,
  body: Check['body'],
): string {
  const count = pluralize(requests, 'request');
  const stages = body.kind === 'load' ? body.results.flatMap((each) => each.stages) : [];
  const warmup = stages.reduce((sum, { warmupRequests }) => sum + warmupRequests, 0);
  return [
    ended < requests ? `${ended} of ${count}` : count,
    ...(warmup > 0 ? [`${warmup} for warm-up`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(dollars !== null && dollars > 0 ? [formatCost(dollars)] : []),
  ].join(' · ');
}

async function exportCheck(
  { id, title, createdAt, body: { kind } }: Check,
  format: CheckFormat,
  extension: string,
): Promise<void> {
  const pieces: string[] = [];
  for await (const piece of await api.checks.export({ id, format })) pieces.push(piece);
  const name = createOutputStem(`${kind} ${title}`, new Date(createdAt), kind);
  saveBlob(new Blob(pieces), `${name}.${extension}`);
}
