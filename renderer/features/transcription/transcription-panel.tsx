import { useMemo, useRef } from 'react';
import { useAttempt } from '../../lib/use-attempt.ts';
import { useFocusOnReceived, useReceiver } from '../../media/hand-over/hand-over.ts';
import { getMediaTitle } from '../../media/players/describe-media.ts';
import { useMedia } from '../../media/players/use-media.ts';
import { useComparison } from '../../run/compare/live-comparisons.ts';
import { changeWithUndo } from '../../run/form/change-with-undo.ts';
import { createPanelBlock, showRunBlock } from '../../run/form/run-block.ts';
import { useForm } from '../../run/form/use-form.ts';
import { EmptyResult, ExampleResult } from '../../run/frame/empty-result.tsx';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { EarlierResults } from '../../run/panel/earlier-results.tsx';
import { lazyComparison, PanelScroller, RunOutcome, RunPanel } from '../../run/panel/run-panel.tsx';
import { usePanelRun } from '../../run/panel/use-panel-run.ts';
import { RequestFields } from '../../run/views/request-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { TranscriptionIcon } from '../../ui/icons/panels.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import { AudioCard } from './audio-card.tsx';
import { AudioSource, audioField } from './audio-source.tsx';
import { useNeedsChoice } from './smaller-copy.ts';
import { CopyNote, SmallerCopyOffer, sizeField } from './smaller-copy-offer.tsx';
import {
  addExampleSpeech,
  type ExampleFields,
  transcriptionExamples,
} from './transcription-examples.ts';
import {
  createTranscriptionInput,
  getRequestAudio,
  toAudioRequest,
} from './transcription-request.ts';
import { TranscriptionResult } from './transcription-result.tsx';
import {
  chooseAudio,
  transcriptionForm as form,
  receiveAudio,
  replaceAudio,
  setParameters,
  timedFields,
} from './transcription-store.ts';

const Comparison = lazyComparison(
  async () => (await import('./transcription-compare.tsx')).transcriptionComparePanel,
);

export function TranscriptionPanel() {
  const mediaId = useForm(form, ({ input }) => input.mediaId);
  const chosen = useMedia(mediaId);
  const needsChoice = useNeedsChoice(chosen.media);
  const name = chosen.media === null ? '' : getMediaTitle(chosen.media);
  const compared = useMemo(() => createTranscriptionInput(name), [name]);
  const run = usePanelRun(form, compared);
  const comparison = useComparison(run.compare.isOn ? run.compare.comparisonId : null)?.comparison;
  const recorded = useRecordedInput(run.runId);
  const runButton = useRef<HTMLButtonElement>(null);
  const example = useAttempt();
  /** The result shows its own audio, so show the chosen file only if it's a different one. */
  const isInResult =
    comparison?.rows.some(({ request }) => getRequestAudio(request) === mediaId) ??
    (!run.compare.isOn && recorded !== null && getRequestAudio(recorded.request) === mediaId);

  useReceiver('transcription', receiveAudio);
  useFocusOnReceived('transcription', runButton);

  function start(id: string | null) {
    if (id === null) showRunBlock();
    else void run.start(toAudioRequest(id));
  }

  function runExample(fields: ExampleFields) {
    void example.attempt(async () => {
      const { id } = await addExampleSpeech();
      changeWithUndo(
        form,
        () => {
          chooseAudio(id);
          setParameters(fields);
        },
        'Input replaced by the example',
      );
      await run.start({ ...fields, ...toAudioRequest(id) });
    });
  }

  const blocked =
    run.blocked ??
    createPanelBlock(
      chosen.media === null ? 'Record or choose an audio file first.' : null,
      audioField,
    ) ??
    createPanelBlock(needsChoice ? 'Choose how to send this large file first.' : null, sizeField);
  const empty =
    mediaId === null || example.busy ? (
      <ExampleResult
        icon={<TranscriptionIcon size={20} />}
        title="Turn speech into text"
        blocked={run.blocked}
        examples={transcriptionExamples.map(({ title, detail, fields }) => ({
          title,
          detail,
          onRun: () => runExample(fields),
        }))}
      >
        Record, choose or drop a file, or try a ten-second example.
      </ExampleResult>
    ) : (
      <ReadyToRun />
    );

  return (
    <RunPanel
      title="Transcription"
      form={form}
      run={run}
      runRef={runButton}
      onRun={() => start(mediaId)}
      runBlocked={blocked}
    >
      <PanelScroller>
        <RequestFields viewed={run.viewed} blocked={blocked} onRun={() => start(mediaId)} />
        <AudioSource
          isEmpty={mediaId === null && run.runId === null}
          errors={run.fieldErrors}
          onAudio={({ id }) => replaceAudio(id)}
        />
        <UndoBars place={form.id} />
        {chosen.media !== null && !isInResult && (
          <AudioCard media={chosen.media} onRemove={() => replaceAudio(null)} />
        )}
        {chosen.media !== null && <CopyNote media={chosen.media} />}
        {chosen.media !== null && needsChoice && <SmallerCopyOffer media={chosen.media} />}
        {chosen.error !== null && <ErrorAlert error={chosen.error} />}
        {example.error !== null && <ErrorAlert error={example.error} />}
        <RunOutcome
          form={form}
          run={run}
          onRetry={() => start(mediaId)}
          Comparison={Comparison}
          namesInput
          empty={empty}
        >
          {(runId) => (
            <TranscriptionResult
              key={runId}
              runId={runId}
              chosenId={mediaId}
              hasChosen={chosen.media !== null}
              onRetry={start}
            />
          )}
        </RunOutcome>
        {!run.compare.isOn && <EarlierResults form={form} shownId={run.runId} />}
      </PanelScroller>
    </RunPanel>
  );
}

function ReadyToRun() {
  return (
    <EmptyResult
      icon={<TranscriptionIcon size={20} />}
      title="Ready to transcribe"
      action={<Button onClick={() => setParameters(timedFields)}>Add word timestamps</Button>}
    >
      With timestamps, click a word to play it, or save subtitles.
    </EmptyResult>
  );
}
