import { useRef } from 'react';
import { fieldMessage } from '../../lib/field-errors.ts';
import { useFocusOnReceived, useReceiver } from '../../media/hand-over/hand-over.ts';
import { FormProblem } from '../../run/form/form-problem.tsx';
import { ParameterSidebar } from '../../run/form/parameter-sidebar.tsx';
import { useReopened } from '../../run/form/reopen.ts';
import { RunPickers } from '../../run/form/run-pickers.tsx';
import { useLoaded } from '../../run/form/use-form.ts';
import { ExampleResult } from '../../run/frame/empty-result.tsx';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { panelBlock, showRunBlock } from '../../run/frame/run-block.ts';
import { usePanelRun } from '../../run/live/use-panel-run.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ImageIcon } from '../../ui/icons/panels.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { comparedImage, requestOfInput } from './compared-image.ts';
import { EarlierTurns } from './earlier-turns.tsx';
import { Gallery } from './gallery.tsx';
import styles from './image.module.css';
import { ImageForm } from './image-form.tsx';
import { ImageResult } from './image-result.tsx';
import { ImageSettings, moreFields } from './image-settings.tsx';
import { changedSettingCount, checkSettings } from './image-settings-values.ts';
import {
  clearTurns,
  continueFrom,
  imageForm as form,
  receiveImage,
  removeTurn,
  resetSettings,
  restore,
  useImageInput,
  writeExample,
} from './image-store.ts';
import type { ReferenceImage, Turn } from './turns.ts';

const examples = [
  {
    title: 'A woodcut',
    prompt: 'A gatehouse between two green hills in the evening sun, as a woodcut.',
  },
  {
    title: 'A product photo',
    prompt: 'A brass key on gray linen, product photo, soft light from the left.',
  },
  {
    title: 'An icon',
    prompt: 'A flat icon of an open gate, two colors, centered on white.',
  },
];

interface TurnInput {
  prompt: string;
  images: readonly ReferenceImage[];
  earlier: readonly Turn[];
}

const ImageCompare = lazyComponent(async () => (await import('./image-compare.tsx')).ImageCompare);

export function ImagePanel() {
  useLoaded(form);
  const run = usePanelRun(form, comparedImage);
  const image = useImageInput((input) => input);
  const promptBox = useRef<HTMLTextAreaElement>(null);
  const settings = checkSettings(image, run.description.objects.generationConfig);
  const blocked =
    run.blocked ?? panelBlock(settings.ok ? null : `More fields: ${settings.problem}`, moreFields);

  useReopened('image', ({ request }) => restore(request));
  useReceiver('image', receiveImage);
  useFocusOnReceived('image', promptBox);

  function start({ prompt, images, earlier }: TurnInput) {
    if (!settings.ok) return showRunBlock();
    void run.start(
      requestOfInput({ ...image, prompt, images: [...images], earlier: [...earlier] }),
    );
  }

  function runExample(prompt: string) {
    writeExample(prompt);
    start({ prompt, images: [], earlier: [] });
  }

  const isEmpty = image.prompt === '' && image.images.length === 0;
  const empty = (
    <ExampleResult
      icon={<ImageIcon size={20} />}
      title="Describe an image, or attach one to edit"
      blocked={blocked}
      examples={examples.map(({ title, prompt }) => ({
        title,
        detail: `“${prompt}”`,
        onRun: () => runExample(prompt),
      }))}
    />
  );

  return (
    <PanelFrame
      title="Image"
      pickers={<RunPickers form={form} />}
      compare={run.compare}
      sidebar={
        <ParameterSidebar
          form={form}
          errors={run.fieldErrors}
          ownCount={changedSettingCount(image)}
          onReset={resetSettings}
        >
          <ImageSettings
            problem={
              settings.ok ? fieldMessage(run.fieldErrors, 'generationConfig') : settings.problem
            }
          />
        </ParameterSidebar>
      }
      onRun={() => start(image)}
      onStop={() => void run.stop()}
      running={run.running}
      runBusy={run.starting}
      runBlocked={
        blocked ?? panelBlock(isEmpty ? 'Enter a prompt or attach an image first.' : null)
      }
    >
      <div className={styles.panel}>
        <EarlierTurns turns={image.earlier} onRemove={removeTurn} onClear={clearTurns} />
        <ImageForm errors={run.fieldErrors} promptRef={promptBox} />
        <FormProblem form={form} />
        {run.problem !== null && (
          <ErrorAlert error={run.problem} onRetry={run.retry ?? (() => start(image))} />
        )}
        {run.compare.isOn ? (
          <ImageCompare compare={run.compare} empty={empty} />
        ) : run.runId === null ? (
          empty
        ) : (
          <ImageResult
            key={run.runId}
            runId={run.runId}
            onRetry={start}
            onContinue={(turns) => {
              continueFrom(turns);
              promptBox.current?.focus();
            }}
          />
        )}
        {!run.compare.isOn && <Gallery shownId={run.runId} />}
      </div>
    </PanelFrame>
  );
}
