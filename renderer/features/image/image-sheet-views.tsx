import { useMemo } from 'react';
import type { FlipDirection } from '../../media/players/image-stage.tsx';
import { ImageDialog } from '../../media/players/image-view.tsx';
import type { ComparedResultsProps } from '../../run/compare/compare-panel.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import {
  type ContactSheet,
  createImageSheet,
  findAdjacentImage,
  type SheetImage,
} from './contact-sheet.ts';
import { getRequestedImage } from './image-facts.ts';
import { ImageFactTable } from './image-facts-view.tsx';
import { ImageSliderDialog } from './image-slider-dialog.tsx';

export type SheetView =
  | { kind: 'full'; id: string }
  | { kind: 'wipe'; leftId: string; rightId: string };

interface ImageSheetViewsProps extends ComparedResultsProps {
  view: SheetView | null;
  show: (view: SheetView | null) => void;
}

export function ImageSheetViews(props: ImageSheetViewsProps) {
  const { comparison, cells, columns, view, show } = props;
  const sheet = useMemo(
    () => createImageSheet(comparison, cells, columns),
    [comparison, cells, columns],
  );
  const images = sheet.flat();
  const [first, second] = images;
  if (first === undefined) return null;
  const of = (id: string) => images.find((image) => image.id === id);
  const full = view?.kind === 'full' ? of(view.id) : undefined;
  const left = view?.kind === 'wipe' ? of(view.leftId) : undefined;
  const right = view?.kind === 'wipe' ? of(view.rightId) : undefined;
  return (
    <ActionBar>
      <Button
        size="small"
        disabledReason={second === undefined ? 'Generate a second image to compare.' : null}
        onClick={() => second && show({ kind: 'wipe', leftId: first.id, rightId: second.id })}
      >
        Compare with slider
      </Button>
      <span className="hint">Open an image; use the arrow keys to switch</span>
      {full !== undefined && <FullView sheet={sheet} image={full} show={show} />}
      {left !== undefined && right !== undefined && (
        <ImageSliderDialog
          images={images}
          left={left}
          right={right}
          onChoose={(leftId, rightId) => show({ kind: 'wipe', leftId, rightId })}
          onClose={() => show(null)}
        />
      )}
    </ActionBar>
  );
}

const directions: readonly FlipDirection[] = ['left', 'right', 'up', 'down'];

interface FullViewProps {
  sheet: ContactSheet;
  image: SheetImage;
  show: (view: SheetView | null) => void;
}

function FullView({ sheet, image, show }: FullViewProps) {
  const recorded = useRecordedInput(image.runId);
  const findAdjacent = (direction: FlipDirection) => findAdjacentImage(sheet, image.id, direction);
  const other =
    findAdjacent('right') ?? findAdjacent('left') ?? findAdjacent('down') ?? findAdjacent('up');
  const flip = {
    onFlip(direction: FlipDirection) {
      const next = findAdjacent(direction);
      if (next !== null) show({ kind: 'full', id: next.id });
    },
    directions: new Set(directions.filter((direction) => findAdjacent(direction) !== null)),
    across: 'image',
    down: 'row',
  };
  return (
    <ImageDialog
      open
      media={image.media}
      title={image.title}
      flip={flip}
      facts={
        recorded !== null && (
          <ImageFactTable media={image.media} requested={getRequestedImage(recorded)} />
        )
      }
      onClose={() => show(null)}
      actions={
        <Button
          size="small"
          disabledReason={other === null ? 'Generate a second image to compare.' : null}
          onClick={() =>
            other !== null && show({ kind: 'wipe', leftId: image.id, rightId: other.id })
          }
        >
          Compare with…
        </Button>
      }
    />
  );
}
