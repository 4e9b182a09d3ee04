import { useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import { getMediaUrl, type Media } from '../../../../shared/media.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { useCommands } from '../../../lib/commands.ts';
import { PageError } from '../../../lib/page-failure.ts';
import { createMediaError } from '../../../media/uploads/media-filter.ts';
import { uploadMedia } from '../../../media/uploads/upload-media.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { FileButton } from '../../../ui/file-button.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Slider } from '../../../ui/slider.tsx';
import styles from './mask.module.css';
import { MaskCanvas } from './mask-canvas.tsx';
import { drawSteps, isPainted, type MaskStep, type Stroke, toMaskFile } from './mask-steps.ts';

interface MaskDialogProps {
  image: Media;
  /** The media ID of the current mask. */
  maskId: string | null;
  onUse: (mask: Media) => void;
  onClose: () => void;
}

const tools = [
  { value: 'paint', label: 'Brush' },
  { value: 'erase', label: 'Eraser' },
] as const;

interface History {
  steps: readonly MaskStep[];
  /** Undone steps, the last one first. */
  undone: readonly MaskStep[];
}

const chooseOther = 'Choose a PNG of the image’s size that is transparent where it may change.';

export function MaskDialog({ image, maskId, onUse, onClose }: MaskDialogProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [history, setHistory] = useState<History>({ steps: [], undone: [] });
  const { steps } = history;
  const [tool, setTool] = useState<Stroke['kind']>('paint');
  const [brush, setBrush] = useState(8);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<AppError | null>(null);
  const isEmpty = steps.length === 0 || steps.at(-1)?.kind === 'clear';

  useEffect(() => {
    if (maskId === null) return;
    let isClosed = false;
    void fetch(getMediaUrl(maskId))
      .then(async (response) => createImageBitmap(await response.blob()))
      .then(
        (bitmap) => {
          if (isClosed) return;
          setHistory(({ steps: drawn, undone }) => ({
            steps: [{ kind: 'file', bitmap }, ...drawn],
            undone,
          }));
        },
        (cause: unknown) => void (!isClosed && setProblem(toAppError(cause))),
      );
    return () => {
      isClosed = true;
    };
  }, [maskId]);

  const add = (step: MaskStep) => setHistory({ steps: [...steps, step], undone: [] });

  async function readFile(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    setProblem(null);
    const bitmap = await createImageBitmap(file).catch(() => null);
    if (bitmap === null) {
      return setProblem(createMediaError(`“${file.name}” isn’t an image.`, chooseOther));
    }
    const { width, height } = bitmap;
    if (size !== null && (width !== size.width || height !== size.height)) {
      const sizes = `${width} × ${height}, the image ${size.width} × ${size.height}`;
      return setProblem(createMediaError(`“${file.name}” is ${sizes}.`, chooseOther));
    }
    const trial = document.createElement('canvas');
    Object.assign(trial, { width, height });
    const step = { kind: 'file' as const, bitmap };
    drawSteps(trial, [step]);
    if (!isPainted(trial)) {
      return setProblem(createMediaError(`“${file.name}” has no transparent area.`, chooseOther));
    }
    add(step);
  }

  async function save(): Promise<void> {
    if (canvas.current === null) return;
    if (!isPainted(canvas.current)) {
      return setProblem(createMediaError('Nothing is painted.', 'Paint the area that may change.'));
    }
    setProblem(null);
    setIsBusy(true);
    try {
      const blob = await toMaskFile(canvas.current);
      if (blob === null)
        throw new PageError(createMediaError('The mask couldn’t be drawn.', chooseOther));
      onUse(await uploadMedia(blob, { name: 'mask.png' }));
      onClose();
    } catch (cause) {
      setProblem(toAppError(cause));
      setIsBusy(false);
    }
  }

  return (
    <Dialog
      open
      // A click outside mustn't lose the drawing.
      isQuestion
      title="Mask"
      size="full"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={isBusy} disabled={isEmpty} onClick={() => void save()}>
            Use mask
          </Button>
        </>
      }
    >
      <div className={classNames(styles.view, 'stack-12')}>
        <div className={styles.tools}>
          <Segmented label="Tool" value={tool} options={tools} onValueChange={setTool} />
          <span className={styles.brush}>
            <span className="label">Size</span>
            <Slider
              label="Brush size"
              value={brush}
              min={1}
              max={40}
              step={1}
              onValueChange={setBrush}
            />
          </span>
          <HistoryButtons history={history} onChange={setHistory} />
          <Button disabled={isEmpty} onClick={() => add({ kind: 'clear' })}>
            Clear
          </Button>
          <FileButton
            inputLabel="Mask file"
            accept="image/png"
            onFiles={([file]) => void readFile(file)}
          >
            Choose file…
          </FileButton>
        </div>
        <p className="hint">
          Paint the area that may change, or choose a PNG that is transparent there.
        </p>
        {problem !== null && <ErrorAlert error={problem} onDismiss={() => setProblem(null)} />}
        <div className={styles.stage}>
          <MaskCanvas
            ref={canvas}
            image={image}
            onSize={setSize}
            steps={steps}
            tool={tool}
            brush={brush / 100}
            onStroke={add}
          />
        </div>
      </div>
    </Dialog>
  );
}

interface HistoryButtonsProps {
  history: History;
  onChange: (history: History) => void;
}

function HistoryButtons({ history: { steps, undone }, onChange }: HistoryButtonsProps) {
  const last = steps.at(-1);
  const [next] = undone;
  const undo = () =>
    last !== undefined && onChange({ steps: steps.slice(0, -1), undone: [last, ...undone] });
  const redo = () =>
    next !== undefined && onChange({ steps: [...steps, next], undone: undone.slice(1) });
  const group = 'Mask';
  useCommands([
    { id: 'mask.undo', title: 'Undo', group, shortcut: 'Mod+Z', run: undo },
    { id: 'mask.redo', title: 'Redo', group, shortcut: 'Mod+Shift+Z', run: redo },
    { id: 'mask.redo-y', title: 'Redo', group, shortcut: 'Mod+Y', run: redo },
  ]);
  return (
    <>
      <Button disabled={last === undefined} shortcut="Mod+Z" onClick={undo}>
        Undo
      </Button>
      <Button disabled={next === undefined} shortcut="Mod+Shift+Z" onClick={redo}>
        Redo
      </Button>
    </>
  );
}
