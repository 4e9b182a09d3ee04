import { mediaReference } from '../../../shared/media-reference.ts';
import { useTakeOver } from '../../run/form/hand-over.ts';
import { ParameterSidebar } from '../../run/form/parameter-sidebar.tsx';
import { useReopened } from '../../run/form/reopen.ts';
import { RunPickers } from '../../run/form/run-pickers.tsx';
import { ExampleResult } from '../../run/frame/empty-result.tsx';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { useRunPart } from '../../run/live/live-runs.ts';
import { usePanelRun } from '../../run/live/use-panel-run.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { VideoIcon } from '../../ui/icons/panels.tsx';
import { isSubmitting } from './describe-task.ts';
import { ExtendedParameters } from './extended-parameters.tsx';
import { ShownTask } from './shown-task.tsx';
import { FollowTask, TaskList } from './task-list.tsx';
import styles from './video.module.css';
import { VideoForm } from './video-form.tsx';
import { doubledName, formFields, setRowCount } from './video-form-values.ts';
import { useVideo } from './video-store.ts';

const example = 'A drawbridge opens over a moat at dawn, slow pan from the left.';

/** Videos are tasks: submitted, followed by main, fetched when they are finished. */
export function VideoPanel() {
  const run = usePanelRun('video');
  const form = useVideo();
  const submitting = useRunPart(run.runId, isSubmitting) ?? false;
  const { blockedReason } = run.form;
  const doubled = doubledName(form.rows);

  useReopened('video', form.restore);
  useTakeOver('video', (media) => {
    const image = media.find(({ kind }) => kind === 'image');
    if (image !== undefined) form.chooseImage(mediaReference(image.id));
  });

  function runExample() {
    form.writePrompt(example);
    void run.start(formFields({ ...form, prompt: example }), form.wireNames);
  }

  const disabledReason =
    blockedReason ??
    (form.prompt === ''
      ? 'Write a prompt first.'
      : doubled !== null
        ? `Extra parameters: “${doubled}” is there twice.`
        : null);

  return (
    <PanelFrame
      title="Video"
      pickers={<RunPickers operation="video" />}
      sidebar={
        <ParameterSidebar
          operation="video"
          errors={run.fieldErrors}
          wireNames={form.wireNames}
          onRename={form.renameField}
          ownCount={setRowCount(form)}
          onReset={form.resetOptions}
        >
          <ExtendedParameters />
        </ParameterSidebar>
      }
      onRun={() => void run.start(formFields(form), form.wireNames)}
      onStop={() => void run.stop()}
      running={submitting}
      runBusy={run.starting}
      runDisabledReason={disabledReason}
    >
      <div className={styles.panel}>
        <VideoForm errors={run.fieldErrors} />
        {run.problem !== null && <ErrorAlert error={run.problem} />}
        <div className={styles.work}>
          <section className={styles.tasks} aria-label="Tasks">
            <TaskList shownId={run.runId} />
            <FollowTask />
          </section>
          {run.runId === null ? (
            <ExampleResult
              icon={<VideoIcon size={20} />}
              title="Describe a scene, and a task makes the video"
              blockedReason={blockedReason}
              onRun={runExample}
            >
              “{example}”
            </ExampleResult>
          ) : (
            <ShownTask key={run.runId} runId={run.runId} />
          )}
        </div>
      </div>
    </PanelFrame>
  );
}
