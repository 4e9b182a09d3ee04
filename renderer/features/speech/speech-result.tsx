import { AudioPlayer } from '../../media/players/audio-player.tsx';
import { MediaFacts } from '../../media/players/media-facts.tsx';
import { ResultContent, ResultFrame } from '../../run/frame/result-frame.tsx';
import { useRun } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { PcmFields } from './pcm-fields.tsx';
import { SpeechFigures } from './speech-figures.tsx';
import { useSpeech } from './speech-store.ts';
import { textOfRequest } from './speech-text.ts';

interface SpeechResultProps {
  runId: string;
  /** Whether it is spoken as soon as its first bytes are there. */
  autoPlay: boolean;
  /** Undefined while the form has errors. */
  onRetry: ((text: string) => void) | undefined;
}

/** The sound of the panel's run, from its first bytes on. */
export function SpeechResult({ runId, autoPlay, onRetry }: SpeechResultProps) {
  const view = useRun('speech', runId);
  const recorded = useRecordedInput(runId);
  const sampleRate = useSpeech((state) => state.sampleRate);
  const channels = useSpeech((state) => state.channels);
  const { setPcm } = useSpeech.getState();
  if (view === null || recorded === null) return null;
  const { media, requestedFormat, receivedFormat } = view.state;
  const raw = (receivedFormat ?? requestedFormat) === 'pcm';
  const text = textOfRequest(recorded.request);

  return (
    <ResultFrame run={view} figures={<SpeechFigures view={view} />}>
      <ResultContent
        error={view.error}
        warnings={view.state.warnings}
        onRetry={onRetry && (() => onRetry(text))}
      >
        {media !== null && (
          <>
            <AudioPlayer
              media={media}
              title="Speech"
              autoPlay={autoPlay}
              pcm={raw ? { sampleRate, channels } : undefined}
            />
            {raw && <PcmFields sampleRate={sampleRate} channels={channels} onChange={setPcm} />}
            {media.complete && (
              <MediaFacts media={media} asked={raw ? {} : { format: requestedFormat }} />
            )}
          </>
        )}
      </ResultContent>
    </ResultFrame>
  );
}
