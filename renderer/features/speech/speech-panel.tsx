import { type Ref, useRef, useState } from 'react';
import type { FieldError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { findFieldMessage } from '../../lib/field-errors.ts';
import { useFocusOnReceived, useReceiver } from '../../media/hand-over/hand-over.ts';
import { PanelField } from '../../run/form/parameter-field.tsx';
import { ParameterSidebar } from '../../run/form/parameter-sidebar.tsx';
import { createPanelBlock, showRunBlock } from '../../run/form/run-block.ts';
import { useForm } from '../../run/form/use-form.ts';
import { ExampleResult } from '../../run/frame/empty-result.tsx';
import { lazyComparison, PanelScroller, RunOutcome, RunPanel } from '../../run/panel/run-panel.tsx';
import { usePanelRun } from '../../run/panel/use-panel-run.ts';
import { RequestFields } from '../../run/views/request-fields.tsx';
import { SpeechIcon } from '../../ui/icons/panels.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import { comparedSpeech } from './compared-speech.ts';
import { EarlierTakes } from './earlier-takes.tsx';
import { LongText } from './long-text.tsx';
import styles from './speech.module.css';
import { speechLabels } from './speech-labels.ts';
import { SpeechResult } from './speech-result.tsx';
import {
  findTextProblem,
  speechForm as form,
  maxText,
  receiveText,
  writeRequest,
  writeText,
} from './speech-store.ts';
import { countCharacters } from './split-text.ts';

const Comparison = lazyComparison(
  async () => (await import('./speech-compare.tsx')).speechComparePanel,
);

export function SpeechPanel() {
  const run = usePanelRun(form, comparedSpeech);
  const text = useForm(form, ({ input }) => input.text);
  /** Only a run that the user just started plays automatically, not one restored after a reload. */
  const [startedId, setStartedId] = useState<string | null>(null);
  const [isSplitting, setSplitting] = useState(false);

  const textBox = useRef<HTMLTextAreaElement>(null);
  useReceiver('speech', receiveText);
  useFocusOnReceived('speech', textBox);

  async function start(request: JsonObject) {
    if (typeof request.input !== 'string' || findTextProblem(request.input) !== null) {
      showRunBlock();
      return;
    }
    setStartedId(await run.start(request));
  }

  /** Starts one take after another, so that they are listed in the order of the text. */
  async function startParts(parts: readonly string[]) {
    setSplitting(true);
    for (const part of parts) {
      // A take that didn't start has said why; the next ones would fail too.
      if ((await run.start({ input: part })) === null) break;
    }
    setSplitting(false);
  }

  function runExample(request: SpeechExample['request']) {
    writeRequest(request);
    void start(request);
  }

  const blocked =
    run.blocked ?? createPanelBlock(text === '' ? 'Enter some text first.' : findTextProblem(text));
  const empty = (
    <ExampleResult
      icon={<SpeechIcon size={20} />}
      title="Turn text into speech"
      blocked={run.blocked}
      examples={speechExamples.map(({ title, detail, request }) => ({
        title,
        detail,
        onRun: () => runExample(request),
      }))}
    />
  );

  return (
    <RunPanel
      title="Speech"
      form={form}
      run={run}
      sidebar={<ParameterSidebar form={form} errors={run.fieldErrors} owned={ownedFields} />}
      onRun={() => void start({ input: text })}
      runBlocked={blocked}
    >
      <PanelScroller>
        <RequestFields
          viewed={run.viewed}
          blocked={blocked}
          onRun={() => void start({ input: text })}
        >
          <SpeechForm textRef={textBox} text={text} errors={run.fieldErrors} onText={writeText} />
        </RequestFields>
        {!run.compare.isOn && (
          <LongText
            text={text}
            busy={isSplitting}
            onSplit={run.blocked === null ? (parts) => void startParts(parts) : undefined}
          />
        )}
        <RunOutcome
          form={form}
          run={run}
          onRetry={() => void start({ input: text })}
          Comparison={Comparison}
          empty={empty}
        >
          {(runId) => (
            <SpeechResult
              key={runId}
              runId={runId}
              autoPlay={runId === startedId}
              onRetry={(input) => void start({ input })}
            />
          )}
        </RunOutcome>
        {!run.compare.isOn && <EarlierTakes shownId={run.runId} />}
      </PanelScroller>
    </RunPanel>
  );
}

/** The panel shows the voice next to the text instead of in the sidebar. */
const ownedFields = ['voice'];

interface SpeechFormProps {
  textRef: Ref<HTMLTextAreaElement>;
  text: string;
  errors: readonly FieldError[];
  onText: (text: string) => void;
}

function SpeechForm({ textRef, text, errors, onText }: SpeechFormProps) {
  const fromMain = findFieldMessage(errors, 'input');
  const count = countCharacters(text).toLocaleString('en');
  return (
    <div className="stack-12 fixed">
      <div className={styles.fields}>
        <TextArea
          ref={textRef}
          label={speechLabels.text}
          value={text}
          onValueChange={onText}
          error={findTextProblem(text) ?? fromMain}
          help={`${count} of ${maxText.toLocaleString('en')} characters`}
          placeholder="Text to speak"
          autoGrow
          rows={3}
          maxRows={14}
        />
        <PanelField form={form} name="voice" errors={errors} />
      </div>
      <UndoBars place={form.id} />
    </div>
  );
}

export interface SpeechExample {
  title: string;
  detail: string;
  /** All fields except the model, which the user chooses. */
  request: JsonObject & { input: string };
}

const welcome = 'The gate is open. Mind the step, and welcome to the house.';
const forecast =
  'Tonight: light rain, clearing after midnight. Tomorrow: sunny, with a high of twenty-one degrees and a gentle wind from the west.';
const story =
  'At the end of the lane stood a house with a blue door. Nobody in the village knew who lived there, but every evening, just as the bells rang, a lamp was lit in the highest window. One winter the lamp stayed dark, and that was how the story began.';

export const speechExamples: readonly SpeechExample[] = [
  {
    title: 'Welcome',
    detail: `“${welcome}”`,
    request: { input: welcome, voice: 'alloy' },
  },
  {
    title: 'Weather forecast',
    detail: 'A different voice, slightly faster',
    request: { input: forecast, voice: 'nova', speed: 1.15 },
  },
  {
    title: 'Story',
    detail: 'A deep, slow voice that plays as it streams',
    request: { input: story, voice: 'onyx', speed: 0.9 },
  },
];
