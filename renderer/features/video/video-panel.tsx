import { type ReactNode, type Ref, useRef } from 'react';
import type { FieldError } from '../../../shared/errors.ts';
import { FORMAT } from '../../../shared/operations/formats.ts';
import { VIDEOS } from '../../../shared/operations/video/image-fields.ts';
import { getParamValue } from '../../../shared/param.ts';
import { findFieldMessage } from '../../lib/field-errors.ts';
import { useFocusOnReceived, useReceiver } from '../../media/hand-over/hand-over.ts';
import { AttachmentChip } from '../../media/players/media-chip.tsx';
import { ParameterSidebar } from '../../run/form/parameter-sidebar.tsx';
import { clearParameter } from '../../run/form/parameters.ts';
import { createPanelBlock } from '../../run/form/run-block.ts';
import { useForm } from '../../run/form/use-form.ts';
import { ExampleResult } from '../../run/frame/empty-result.tsx';
import { useRunPart } from '../../run/live/live-runs.ts';
import { lazyComparison, PanelScroller, RunOutcome, RunPanel } from '../../run/panel/run-panel.tsx';
import { usePanelRun } from '../../run/panel/use-panel-run.ts';
import { RequestFields } from '../../run/views/request-fields.tsx';
import { VideoIcon } from '../../ui/icons/panels.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import { isSubmitting } from './describe-task.ts';
import { duplicateRowField, ExtendedParameters } from './extended-parameters.tsx';
import { ImageSlots } from './image-slots.tsx';
import { SizePreset } from './size-preset.tsx';
import { ShownTask } from './task.tsx';
import { FollowTask, TaskList } from './task-list.tsx';
import styles from './video.module.css';
import {
  comparedVideo,
  countSetRows,
  findDuplicateName,
  hasSource,
  toVideoFields,
} from './video-form-values.ts';
import { videoLabels } from './video-labels.ts';
import { videoForm as form, REMIX, receiveImage, resetRows, useVideoInput } from './video-store.ts';

const examples = [
  {
    title: 'A slow pan',
    prompt: 'A drawbridge opens over a moat at dawn, slow pan from the left.',
  },
  {
    title: 'A time-lapse',
    prompt: 'Clouds race over a gatehouse from noon to night, time-lapse, fixed camera.',
  },
  {
    title: 'A close-up',
    prompt: 'Close-up of a lantern swinging in the rain, shallow depth of field.',
  },
];

const Comparison = lazyComparison(
  async () => (await import('./video-compare.tsx')).videoComparePanel,
);

export function VideoPanel() {
  const run = usePanelRun(form, comparedVideo);
  const input = useVideoInput((all) => all);
  const submitting = useRunPart(run.runId, isSubmitting) ?? false;
  const promptBox = useRef<HTMLTextAreaElement>(null);
  const doubled = findDuplicateName(input.rows);
  const remixed = useRemixed();
  const blocked =
    run.blocked ??
    createPanelBlock(
      doubled === null ? null : `Metadata: duplicate name “${doubled}”.`,
      duplicateRowField,
    );

  useReceiver('video', receiveImage);
  useFocusOnReceived('video', promptBox);

  const whole =
    blocked ??
    createPanelBlock(hasSource(input) ? null : 'Enter a prompt or attach an image first.');
  const start = () => void run.start(toVideoFields(input));
  const empty = (
    <ExampleResult
      icon={<VideoIcon size={20} />}
      title="Describe a scene to generate a video"
      blocked={blocked}
      examples={examples.map(({ title, prompt }) => ({
        title,
        detail: `“${prompt}”`,
        onRun: () => void run.runExample({ prompt }),
      }))}
    />
  );

  const addTaskList = (shown: ReactNode) => (
    <div className={styles.work}>
      <section className={styles.tasks} aria-label="Tasks">
        <TaskList shownId={run.runId} />
        <FollowTask />
      </section>
      {shown}
    </div>
  );

  return (
    <RunPanel
      title="Video"
      form={form}
      run={run}
      sidebar={
        <ParameterSidebar
          form={form}
          errors={run.fieldErrors}
          ownCount={countSetRows(input)}
          onReset={resetRows}
          rareChildren={<ExtendedParameters isSent={remixed === null} />}
        />
      }
      onRun={start}
      running={run.compare.isOn ? run.running : submitting}
      runBlocked={whole}
    >
      <PanelScroller>
        <RequestFields viewed={run.viewed} blocked={whole} onRun={start}>
          <VideoForm errors={run.fieldErrors} promptRef={promptBox} />
        </RequestFields>
        <RunOutcome
          form={form}
          run={run}
          Comparison={Comparison}
          namesInput
          empty={run.compare.isOn ? empty : addTaskList(empty)}
        >
          {(runId) =>
            addTaskList(
              <ShownTask
                key={runId}
                runId={runId}
                onDeleted={() => promptBox.current?.focus()}
                onRemix={() => promptBox.current?.focus()}
              />,
            )
          }
        </RunOutcome>
      </PanelScroller>
    </RunPanel>
  );
}

/** Returns the ID of the video that the form remixes; null for a new video. */
function useRemixed(): string | null {
  const remixed = useForm(form, ({ params }) =>
    getParamValue(params, FORMAT) === VIDEOS ? getParamValue(params, REMIX) : null,
  );
  return typeof remixed === 'string' && remixed !== '' ? remixed : null;
}

interface VideoFormProps {
  errors: readonly FieldError[];
  promptRef: Ref<HTMLTextAreaElement>;
}

function VideoForm({ errors, promptRef }: VideoFormProps) {
  const prompt = useVideoInput((input) => input.prompt);
  const remixed = useRemixed();
  return (
    <div className="stack-12 fixed">
      <TextArea
        ref={promptRef}
        label={videoLabels.prompt}
        value={prompt}
        onValueChange={(text) => form.change({ input: { prompt: text } }, { typing: true })}
        error={findFieldMessage(errors, 'prompt')}
        placeholder="Describe the video"
        autoGrow
        rows={2}
        maxRows={8}
      />
      {remixed !== null && (
        <div>
          <AttachmentChip
            name={`Remix of ${remixed.slice(0, 40)}`}
            icon={<VideoIcon />}
            detail="Only the prompt is sent"
            onRemove={() => clearParameter(form, REMIX)}
          />
        </div>
      )}
      <div className={styles.inputs}>
        <ImageSlots isSent={remixed === null} />
        {remixed === null && <SizePreset />}
      </div>
      <UndoBars place={form.id} />
    </div>
  );
}
