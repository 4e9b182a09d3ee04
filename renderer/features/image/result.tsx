import type { ImageCandidate, ImageState } from '../../../shared/operations/image/state.ts';
import type { RunView } from '../../../shared/run-view.ts';
import { RunFigures } from '../../run/frame/run-figures.tsx';
import { RunStatusMark } from '../../run/frame/run-status.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { InspectIcon } from '../../ui/icons/actions.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { AskedImage } from './asked-image.ts';
import { Candidate } from './candidate.tsx';
import { ReplyDetails } from './reply-details.tsx';
import styles from './result.module.css';
import { whyEmpty } from './why-empty.ts';

interface ResultProps {
  view: RunView<'image'>;
  asked: AskedImage;
  running: boolean;
  /** Undefined while the form has something to mend. */
  onRetry: (() => void) | undefined;
  onContinue: (candidate: ImageCandidate) => void;
  onInspect: () => void;
}

/** Text and pictures in the order they came, and what the reply says about itself. */
export function Result({ view, asked, running, onRetry, onContinue, onInspect }: ResultProps) {
  const { state, status, error } = view;
  const empty = status === 'succeeded' ? whyEmpty(state) : null;
  const text = textOf(state);
  // A reply that holds nothing is told by the alert.
  const warnings = empty === null ? state.warnings : [];
  return (
    <section className={styles.result} aria-label="Result" aria-busy={running}>
      <div className={styles.head}>
        <RunStatusMark status={status} />
        <span className={styles.figures}>
          <RunFigures run={view} />
        </span>
        <div className={styles.actions}>
          {text !== '' && <CopyButton label="Copy text" content={() => text} />}
          <IconButton
            size="small"
            label="Inspect"
            icon={<InspectIcon size={14} />}
            onClick={onInspect}
          />
        </div>
      </div>
      <div className={styles.content}>
        {running && state.candidates.length === 0 && (
          <p className={styles.waiting}>
            <Spinner /> The model is drawing.
          </p>
        )}
        {state.candidates.map((candidate, index) => (
          <Candidate
            // biome-ignore lint/suspicious/noArrayIndexKey: candidates keep their order.
            key={index}
            candidate={candidate}
            number={state.candidates.length > 1 ? index + 1 : null}
            media={state.media}
            asked={asked}
            onContinue={running ? undefined : () => onContinue(candidate)}
          />
        ))}
        {empty !== null && <ErrorAlert error={empty} onRetry={onRetry} />}
        {error !== null && <ErrorAlert error={error} onRetry={onRetry} />}
        {warnings.map((warning) => (
          <p key={warning} className={styles.warning}>
            {warning}
          </p>
        ))}
        {!running && <ReplyDetails state={state} />}
      </div>
    </section>
  );
}

function textOf({ candidates }: ImageState): string {
  return candidates
    .flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'text' && !part.thought ? [part.text] : [])),
    )
    .join('\n\n');
}
