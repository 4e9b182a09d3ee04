import { useRef } from 'react';
import { FORMAT } from '../../../shared/operations/formats.ts';
import { getParamValue } from '../../../shared/param.ts';
import { findFieldMessage } from '../../lib/field-errors.ts';
import { useFocusOnReceived, useReceiver } from '../../media/hand-over/hand-over.ts';
import { ParameterSidebar } from '../../run/form/parameter-sidebar.tsx';
import { createPanelBlock, showRunBlock } from '../../run/form/run-block.ts';
import { useForm } from '../../run/form/use-form.ts';
import { ExampleResult } from '../../run/frame/empty-result.tsx';
import { lazyComparison, PanelScroller, RunOutcome, RunPanel } from '../../run/panel/run-panel.tsx';
import { usePanelRun } from '../../run/panel/use-panel-run.ts';
import { RequestFields } from '../../run/views/request-fields.tsx';
import { ImageIcon } from '../../ui/icons/panels.tsx';
import { comparedImage, findEditedImage, toImageRequest } from './compared-image.ts';
import { EarlierTurns } from './earlier-turns.tsx';
import { Gallery } from './gallery.tsx';
import { ImageForm } from './image-form.tsx';
import { ImageResult } from './image-result.tsx';
import { ImageSettings, moreFields } from './image-settings.tsx';
import {
  type CheckedSettings,
  checkSettings,
  countChangedSettings,
} from './image-settings-values.ts';
import {
  clearTurns,
  continueFrom,
  imageForm as form,
  receiveImage,
  removeTurn,
  resetImageSettings,
  useImageInput,
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

const IMAGES = 'images';
const noSettings: CheckedSettings = { ok: true, generationConfig: null };

interface TurnInput {
  prompt: string;
  images: readonly ReferenceImage[];
  earlier: readonly Turn[];
}

const Comparison = lazyComparison(
  async () => (await import('./image-compare.tsx')).imageComparePanel,
);

export function ImagePanel() {
  const run = usePanelRun(form, comparedImage);
  const image = useImageInput((input) => input);
  const promptBox = useRef<HTMLTextAreaElement>(null);
  const isImagesFormat = useForm(form, ({ params }) => getParamValue(params, FORMAT) === IMAGES);
  const settings = isImagesFormat
    ? noSettings
    : checkSettings(image, run.description.objects.generationConfig);
  const blocked =
    run.blocked ??
    createPanelBlock(settings.ok ? null : `Extra config: ${settings.problem}`, moreFields);

  useReceiver('image', receiveImage);
  useFocusOnReceived('image', promptBox);

  function start({ prompt, images, earlier }: TurnInput) {
    if (!settings.ok) return showRunBlock();
    void run.start(
      toImageRequest({ ...image, prompt, images: [...images], earlier: [...earlier] }),
    );
  }

  const isEmpty = image.prompt === '' && image.images.length === 0;
  const whole =
    blocked ?? createPanelBlock(isEmpty ? 'Enter a prompt or attach an image first.' : null);
  const empty = (
    <ExampleResult
      icon={<ImageIcon size={20} />}
      title="Describe an image, or attach one to edit"
      blocked={blocked}
      examples={examples.map(({ title, prompt }) => ({
        title,
        detail: `“${prompt}”`,
        onRun: () => void run.runExample({ prompt }, { images: [], earlier: [] }),
      }))}
    />
  );

  return (
    <RunPanel
      title="Image"
      form={form}
      run={run}
      sidebar={
        <ParameterSidebar
          form={form}
          errors={run.fieldErrors}
          ownCount={isImagesFormat ? 0 : countChangedSettings(image)}
          onReset={resetImageSettings}
        >
          <ImageSettings
            isSent={!isImagesFormat}
            problem={
              settings.ok ? findFieldMessage(run.fieldErrors, 'generationConfig') : settings.problem
            }
          />
        </ParameterSidebar>
      }
      onRun={() => start(image)}
      runBlocked={whole}
    >
      <PanelScroller>
        <RequestFields viewed={run.viewed} blocked={whole} onRun={() => start(image)}>
          <EarlierTurns turns={image.earlier} onRemove={removeTurn} onClear={clearTurns} />
          {isImagesFormat && image.earlier.length > 0 && (
            <p className="hint">This format sends only the last image of earlier turns.</p>
          )}
          <ImageForm
            editedId={isImagesFormat ? findEditedImage(toImageRequest(image).contents) : null}
            errors={run.fieldErrors}
            promptRef={promptBox}
          />
        </RequestFields>
        <RunOutcome
          form={form}
          run={run}
          onRetry={() => start(image)}
          Comparison={Comparison}
          empty={empty}
        >
          {(runId) => (
            <ImageResult
              key={runId}
              runId={runId}
              onRetry={start}
              onContinue={(turns) => {
                continueFrom(turns);
                promptBox.current?.focus();
              }}
            />
          )}
        </RunOutcome>
        {!run.compare.isOn && <Gallery shownId={run.runId} />}
      </PanelScroller>
    </RunPanel>
  );
}
