import { getTokenCounts } from '../../../shared/operations/response/usage.ts';
import { isFinished } from '../../../shared/run.ts';
import { getFirstOutputMs, getTotalMs, timingTooltips } from '../../../shared/run-times.ts';
import type { RunView } from '../../../shared/run-view.ts';
import { formatBytes, formatCount, formatDuration } from '../../lib/format-quantity.ts';
import { importPart } from '../../lib/import-part.ts';
import { useCappedAttempt } from '../../lib/use-attempt.ts';
import { AudioPlayer } from '../../media/players/audio-player.tsx';
import { MediaFacts } from '../../media/players/media-details.tsx';
import { ResultContent, ResultFrame } from '../../run/frame/result-frame.tsx';
import { TextFigure } from '../../run/frame/run-figures.tsx';
import { useRun } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import styles from './speech.module.css';
import { getRequestText, useRawTake } from './speech-store.ts';

const HeardTranscript = lazyComponent(
  async () => (await import('./speech-transcript.tsx')).SpeechTranscript,
);

const transcribeHelp =
  'Transcribes this audio using the Transcription panel’s settings and compares it with the text.';

interface SpeechResultProps {
  runId: string;
  /** Playback starts when the first bytes arrive. */
  autoPlay: boolean;
  onRetry: ((text: string) => void) | undefined;
}

export function SpeechResult({ runId, autoPlay, onRetry }: SpeechResultProps) {
  const view = useRun('speech', runId);
  const recorded = useRecordedInput(runId);
  const transcribing = useCappedAttempt();
  const received = view?.state.media ?? null;
  const isRaw = view?.state.receivedFormat === 'pcm';
  const { shape, keepShape } = useRawTake(isRaw ? received : null);
  if (view === null || recorded === null) return null;
  const { media, requestedFormat } = view.state;
  const text = getRequestText(recorded.request);
  const isWhole = media?.complete === true && media.kind === 'audio';

  return (
    <ResultFrame
      run={view}
      figures={<SpeechFigures view={view} />}
      actions={
        isWhole && (
          <Button
            tooltip={transcribeHelp}
            size="small"
            variant="quiet"
            busy={transcribing.busy}
            onClick={() =>
              void transcribing.attempt(async (overCap) => {
                const { transcribeSpeech } = await importPart(
                  () => import('./chain-transcripts.ts'),
                );
                await transcribeSpeech(runId, media.id, overCap);
              })
            }
          >
            Transcribe
          </Button>
        )
      }
    >
      <ResultContent
        error={view.error}
        failedAt={view.finishedAt}
        noResult={view.figures?.noResult ?? null}
        warnings={view.state.warnings}
        onRetry={onRetry && (() => onRetry(text))}
      >
        {media === null && !isFinished(view.status) && <Waiting>Waiting for first byte…</Waiting>}
        {media !== null && (
          <>
            <AudioPlayer
              media={media}
              title="Speech"
              autoPlay={autoPlay}
              playsOnFrom="speech"
              pcm={isRaw ? shape : undefined}
            />
            {isRaw && <PcmFields {...shape} onChange={keepShape} />}
            {media.complete && (
              <MediaFacts media={media} requested={isRaw ? {} : { format: requestedFormat }} />
            )}
            {transcribing.error !== null && (
              <ErrorAlert compact error={transcribing.error} onRetry={transcribing.runAnyway} />
            )}
            {isWhole && <HeardTranscript runId={runId} text={text} />}
          </>
        )}
      </ResultContent>
    </ResultFrame>
  );
}

function SpeechFigures({ view }: { view: RunView<'speech'> }) {
  const { media, firstByteAtMs, receivedBytes, usage = null } = view.state;
  const { input, output } = getTokenCounts(usage);
  const total = getTotalMs(view);
  const firstByte = getFirstOutputMs(view, firstByteAtMs);
  return (
    <>
      {firstByte !== null && (
        <TextFigure
          label="First byte"
          value={formatDuration(firstByte)}
          help={timingTooltips.firstOutput}
        />
      )}
      {media?.complete === false && <TextFigure label="Size" value={formatBytes(receivedBytes)} />}
      {input !== null && (
        <TextFigure label="Input" value={formatCount(input)} help="Input tokens." />
      )}
      {output !== null && (
        <TextFigure label="Output" value={formatCount(output)} help="Output tokens." />
      )}
      {total !== null && (
        <TextFigure label="Total time" value={formatDuration(total)} help={timingTooltips.total} />
      )}
    </>
  );
}

interface PcmFieldsProps {
  sampleRate: number;
  channels: number;
  onChange: (pcm: { sampleRate: number; channels: number }) => void;
}

/** Raw samples don't include their sample rate, so the user can set it. */
function PcmFields({ sampleRate, channels, onChange }: PcmFieldsProps) {
  return (
    <div className={styles.pcm}>
      <NumberField
        label="Sample rate (Hz)"
        value={sampleRate}
        min={8000}
        max={192_000}
        step={1000}
        onValueChange={(value) =>
          value !== null && value >= 1000 && onChange({ sampleRate: value, channels })
        }
      />
      <NumberField
        label="Channels"
        value={channels}
        min={1}
        max={2}
        step={1}
        onValueChange={(value) =>
          (value === 1 || value === 2) && onChange({ sampleRate, channels: value })
        }
      />
      <p className={classNames(styles.note, 'caption')}>
        Raw PCM has no header. These settings are used for playback and for the WAV download.
      </p>
    </div>
  );
}
