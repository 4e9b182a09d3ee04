import { useRef } from 'react';
import { useTakeOver } from '../../run/form/hand-over.ts';
import { ParameterSidebar } from '../../run/form/parameter-sidebar.tsx';
import { useReopened } from '../../run/form/reopen.ts';
import { RunPickers } from '../../run/form/run-pickers.tsx';
import { ExampleResult } from '../../run/frame/empty-result.tsx';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { usePanelRun } from '../../run/live/use-panel-run.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ImageIcon } from '../../ui/icons/panels.tsx';
import { EarlierTurns } from './earlier-turns.tsx';
import { Gallery } from './gallery.tsx';
import styles from './image.module.css';
import { ImageForm } from './image-form.tsx';
import { ImageResult } from './image-result.tsx';
import { ImageSettings } from './image-settings.tsx';
import { checkSettings, setSettingCount } from './image-settings-values.ts';
import { useImage } from './image-store.ts';
import { type PictureInput, type Turn, toContents, userTurn } from './turns.ts';

const example = 'A gatehouse between two green hills in the evening sun, as a woodcut.';

interface Asked {
  prompt: string;
  images: readonly PictureInput[];
  earlier: readonly Turn[];
}

/** A prompt, pictures to go by, and the turns so far; what the model draws and says to it. */
export function ImagePanel() {
  const run = usePanelRun('image');
  const image = useImage();
  const promptBox = useRef<HTMLTextAreaElement>(null);
  const settings = checkSettings(image);
  const { blockedReason } = run.form;

  useReopened('image', ({ request }) => image.restore(request));
  useTakeOver('image', (media) =>
    image.addImages(
      media
        .filter(({ kind }) => kind === 'image')
        .map(({ id, type }) => ({ mediaId: id, mimeType: type })),
    ),
  );

  function start({ prompt, images, earlier }: Asked) {
    if (!settings.ok) return;
    const { generationConfig } = settings;
    void run.start({
      contents: toContents([...earlier, userTurn(prompt, images)]),
      ...(generationConfig !== null && { generationConfig }),
    });
  }

  function runExample() {
    image.writePrompt(example);
    start({ prompt: example, images: [], earlier: [] });
  }

  const nothingAsked = image.prompt === '' && image.images.length === 0;
  return (
    <PanelFrame
      title="Image"
      pickers={<RunPickers operation="image" />}
      sidebar={
        <ParameterSidebar
          operation="image"
          errors={run.fieldErrors}
          ownCount={setSettingCount(image)}
          onReset={image.resetSettings}
        >
          <ImageSettings problem={settings.ok ? null : settings.problem} />
        </ParameterSidebar>
      }
      onRun={() => start(image)}
      onStop={() => void run.stop()}
      running={run.running}
      runBusy={run.starting}
      runDisabledReason={
        blockedReason ??
        (settings.ok ? null : `Further fields: ${settings.problem}`) ??
        (nothingAsked ? 'Write a prompt or attach an image first.' : null)
      }
    >
      <div className={styles.panel}>
        <EarlierTurns
          turns={image.earlier}
          onRemove={image.removeTurn}
          onClear={image.clearTurns}
        />
        <ImageForm errors={run.fieldErrors} promptRef={promptBox} />
        {run.problem !== null && <ErrorAlert error={run.problem} onRetry={() => start(image)} />}
        {run.runId === null ? (
          <ExampleResult
            icon={<ImageIcon size={20} />}
            title="Describe a picture, or attach one to change"
            blockedReason={blockedReason}
            onRun={runExample}
          >
            “{example}”
          </ExampleResult>
        ) : (
          <ImageResult
            key={run.runId}
            runId={run.runId}
            onRetry={run.form.ready === null ? undefined : start}
            onContinue={(turns) => {
              image.continueFrom(turns);
              promptBox.current?.focus();
            }}
          />
        )}
        <Gallery shownId={run.runId} />
      </div>
    </PanelFrame>
  );
}
