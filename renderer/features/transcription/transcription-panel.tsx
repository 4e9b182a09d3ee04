import { useRef } from 'react';
import { mediaReference } from '../../../shared/media-reference.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { useFocusOnTaken, useTakeOver } from '../../media/hand-over/hand-over.ts';
import { HandOverNotice } from '../../media/hand-over/hand-over-notice.tsx';
import { MediaChip } from '../../media/players/media-chip.tsx';
import { useMedia } from '../../media/players/use-media.ts';
import type { Form } from '../../run/form/form.ts';
import { FormProblem } from '../../run/form/form-problem.tsx';
import { ParameterSidebar } from '../../run/form/parameter-sidebar.tsx';
import { setParameter } from '../../run/form/parameters.ts';
import { useReopened } from '../../run/form/reopen.ts';
import { RunPickers } from '../../run/form/run-pickers.tsx';
import { useForm, useLoaded } from '../../run/form/use-form.ts';
import { EmptyResult } from '../../run/frame/empty-result.tsx';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { usePanelRun } from '../../run/live/use-panel-run.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { TranscriptionIcon } from '../../ui/icons/panels.tsx';
import { AudioSource } from './audio-source.tsx';
import styles from './transcription.module.css';
import { audioOfRequest, TranscriptionResult } from './transcription-result.tsx';
import { chooseAudio, transcriptionForm as form, takeAudio } from './transcription-store.ts';

/** What was said, in text: recorded here or from a file. */
export function TranscriptionPanel() {
  useLoaded(form);
  const run = usePanelRun(form);
  const mediaId = useForm(form, ({ input }) => input.mediaId);
  const chosen = useMedia(mediaId);
  const runButton = useRef<HTMLButtonElement>(null);
  const { blockedReason } = run;

  useReopened('transcription', ({ request }) => chooseAudio(audioOfRequest(request)));

  useTakeOver('transcription', takeAudio);
  useFocusOnTaken('transcription', runButton);

  function start(id: string | null) {
    if (id !== null) void run.start({ file: mediaReference(id) });
  }

  return (
    <PanelFrame
      title="Transcription"
      pickers={<RunPickers form={form} />}
      sidebar={<ParameterSidebar form={form} errors={run.fieldErrors} />}
      runRef={runButton}
      onRun={() => start(mediaId)}
      onStop={() => void run.stop()}
      running={run.running}
      runBusy={run.starting}
      runDisabledReason={
        blockedReason ?? (chosen.media === null ? 'Record or choose an audio file first.' : null)
      }
    >
      <div className={styles.panel}>
        <AudioSource errors={run.fieldErrors} onAudio={({ id }) => chooseAudio(id)} />
        {chosen.media !== null && (
          <MediaChip media={chosen.media} onRemove={() => chooseAudio(null)} />
        )}
        <HandOverNotice panel="transcription" />
        {chosen.error !== null && <ErrorAlert error={chosen.error} />}
        <FormProblem form={form} />
        {run.problem !== null && <ErrorAlert error={run.problem} onRetry={() => start(mediaId)} />}
        {run.runId === null ? (
          <TranscriptionIntro form={form} />
        ) : (
          <TranscriptionResult
            key={run.runId}
            runId={run.runId}
            onRetry={run.ready === null ? undefined : start}
          />
        )}
      </div>
    </PanelFrame>
  );
}

/** What comes here, and the settings that make the most of it. */
function TranscriptionIntro({ form }: { form: Form<OperationName> }) {
  function askForTimes() {
    setParameter(form, 'response_format', 'verbose_json');
    setParameter(form, 'timestamp_granularities', ['word', 'segment']);
  }

  return (
    <EmptyResult
      icon={<TranscriptionIcon size={20} />}
      title="Record or choose audio to transcribe"
      action={<Button onClick={askForTimes}>Add word timestamps</Button>}
    >
      With timestamps, you can click a word to play it and save the transcript as subtitles.
    </EmptyResult>
  );
}
