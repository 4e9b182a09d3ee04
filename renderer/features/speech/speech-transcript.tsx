import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isFinished } from '../../../shared/run.ts';
import { orpc } from '../../lib/api.ts';
import { inspectRun } from '../../lib/layout.ts';
import { useNormalization } from '../../run/compare/normalization-switches.tsx';
import { useErrorRates } from '../../run/compare/work/use-computed.ts';
import { useRun } from '../../run/live/live-runs.ts';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { InspectIcon } from '../../ui/icons/actions.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import styles from './speech.module.css';

interface HeardTranscriptProps {
  runId: string;
  text: string;
  /** Hides the Inspect button, because the inspector would reveal which variant this is. */
  isHidden?: boolean;
}

export function SpeechTranscript({ runId, text, isHidden = false }: HeardTranscriptProps) {
  const { data } = useQuery(orpc.runs.chain.queryOptions({ input: { id: runId } }));
  const newest = data?.next.findLast(({ operation }) => operation === 'transcription');
  return newest === undefined ? null : (
    <Heard key={newest.id} runId={newest.id} text={text} isHidden={isHidden} />
  );
}

function Heard({ runId, text, isHidden = false }: HeardTranscriptProps) {
  const view = useRun('transcription', runId);
  const normalization = useNormalization();
  const heard = view !== null && view.status === 'succeeded' ? view.state.text : null;
  const hypotheses = useMemo(() => (heard === null ? [] : [heard]), [heard]);
  const rates = useErrorRates(heard === null ? null : text, hypotheses, normalization);
  if (view === null) return null;
  if (!isFinished(view.status)) {
    return <Waiting>Transcribing…</Waiting>;
  }
  const words = rates.output?.[0]?.words;
  return (
    <div className={classNames(styles.heard, 'stack-4')}>
      <p className={styles.heardHead}>
        {words !== undefined && (
          <Tooltip text={help}>
            WER {words.rate === null ? '–' : `${(words.rate * 100).toFixed(1)}%`}
          </Tooltip>
        )}
        {words !== undefined && (
          <span className={styles.heardCounts}>
            {words.substituted} substituted · {words.inserted} inserted · {words.deleted} deleted
          </span>
        )}
        {!isHidden && (
          <IconButton
            size="small"
            label="Inspect transcript"
            icon={<InspectIcon size={14} />}
            onClick={() => inspectRun(runId)}
          />
        )}
      </p>
      {view.error !== null && <ErrorAlert compact error={view.error} />}
      {heard !== null && <p className={styles.heardText}>{heard === '' ? '(no words)' : heard}</p>}
    </div>
  );
}

const help = 'Word error rate: substituted, inserted and deleted words ÷ words in the text.';
