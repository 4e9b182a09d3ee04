import { mediaReference } from '../../../shared/media-reference.ts';
import { MediaChip } from '../../media/players/media-chip.tsx';
import { useMedia } from '../../media/players/use-media.ts';
import { ParameterSidebar } from '../../run/form/parameter-sidebar.tsx';
import { useReopened } from '../../run/form/reopen.ts';
import { RunPickers } from '../../run/form/run-pickers.tsx';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { usePanelRun } from '../../run/live/use-panel-run.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { AudioSource } from './audio-source.tsx';
import styles from './transcription.module.css';
import { TranscriptionIntro } from './transcription-intro.tsx';
import { audioOfRequest, TranscriptionResult } from './transcription-result.tsx';
import { useTranscription } from './transcription-store.ts';

/** What was said, in text: recorded here or from a file. */
export function TranscriptionPanel() {
  const run = usePanelRun('transcription');
  const mediaId = useTranscription((state) => state.mediaId);
  const wireNames = useTranscription((state) => state.wireNames);
  const { chooseAudio, renameField, resetNames, restore } = useTranscription.getState();
  const chosen = useMedia(mediaId);
  const { blockedReason } = run.form;

  useReopened('transcription', ({ request, wireNames: names }) =>
    restore({ mediaId: audioOfRequest(request), wireNames: names }),
  );

  function start(id: string | null) {
    if (id !== null) void run.start({ file: mediaReference(id) }, wireNames);
  }

  return (
    <PanelFrame
      title="Transcription"
      pickers={<RunPickers operation="transcription" />}
      sidebar={
        <ParameterSidebar
          operation="transcription"
          errors={run.fieldErrors}
          wireNames={wireNames}
          onRename={renameField}
          onReset={resetNames}
        />
      }
      onRun={() => start(mediaId)}
      onStop={() => void run.stop()}
      running={run.running}
      runBusy={run.starting}
      runDisabledReason={
        blockedReason ?? (chosen.media === null ? 'Record or choose an audio file first.' : null)
      }
    >
      <div className={styles.panel}>
        <AudioSource errors={run.fieldErrors} onAudio={chooseAudio} />
        {chosen.media !== null && (
          <MediaChip media={chosen.media} onRemove={() => chooseAudio(null)} />
        )}
        {chosen.error !== null && <ErrorAlert error={chosen.error} />}
        {run.problem !== null && <ErrorAlert error={run.problem} onRetry={() => start(mediaId)} />}
        {run.runId === null ? (
          <TranscriptionIntro description={run.form.description} />
        ) : (
          <TranscriptionResult
            key={run.runId}
            runId={run.runId}
            onRetry={run.form.ready === null ? undefined : start}
          />
        )}
      </div>
    </PanelFrame>
  );
}
