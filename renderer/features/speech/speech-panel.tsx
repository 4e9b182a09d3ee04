import { useState } from 'react';
import { ParameterSidebar } from '../../run/form/parameter-sidebar.tsx';
import { useReopened } from '../../run/form/reopen.ts';
import { RunPickers } from '../../run/form/run-pickers.tsx';
import { useRunForm } from '../../run/form/use-run-form.ts';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { useRunControl } from '../../run/live/use-run-control.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import styles from './speech.module.css';
import { SpeechExample } from './speech-example.tsx';
import { SpeechForm } from './speech-form.tsx';
import { speechRun, textOfRequest } from './speech-request.ts';
import { SpeechResult } from './speech-result.tsx';
import { useSpeech, usualVoiceField } from './speech-store.ts';
import { textProblem } from './speech-text.ts';

/** A text, and the model's voice for it. */
export function SpeechPanel() {
  const form = useRunForm('speech');
  const run = useRunControl('speech');
  const text = useSpeech((state) => state.text);
  const voiceField = useSpeech((state) => state.voiceField);
  const { writeText, nameVoiceField, restore } = useSpeech.getState();
  /** Only what the user has just started speaks by itself, not what a reload shows again. */
  const [startedId, setStartedId] = useState<string | null>(null);

  useReopened('speech', ({ request }) =>
    restore({ text: textOfRequest(request), voiceField: usualVoiceField }),
  );

  async function start(spoken: string) {
    if (form.ready === null || textProblem(spoken) !== null) return;
    setStartedId(await run.start(speechRun(form.ready, spoken, voiceField)));
  }

  function runExample(example: string) {
    writeText(example);
    void start(example);
  }

  return (
    <PanelFrame
      title="Speech"
      pickers={<RunPickers operation="speech" />}
      sidebar={<ParameterSidebar operation="speech" errors={run.fieldErrors} />}
      onRun={() => void start(text)}
      onStop={() => void run.stop()}
      running={run.running}
      runBusy={run.starting}
      runDisabledReason={
        form.blockedReason ?? (text === '' ? 'Write a text first.' : textProblem(text))
      }
    >
      <div className={styles.panel}>
        <SpeechForm
          text={text}
          voiceField={voiceField}
          errors={run.fieldErrors}
          onText={writeText}
          onVoiceField={nameVoiceField}
        />
        {run.problem !== null && (
          <ErrorAlert error={run.problem} onRetry={() => void start(text)} />
        )}
        {run.runId === null ? (
          <SpeechExample blockedReason={form.blockedReason} onExample={runExample} />
        ) : (
          <SpeechResult
            key={run.runId}
            runId={run.runId}
            autoPlay={run.runId === startedId}
            onRetry={form.ready === null ? undefined : (spoken) => void start(spoken)}
          />
        )}
      </div>
    </PanelFrame>
  );
}
