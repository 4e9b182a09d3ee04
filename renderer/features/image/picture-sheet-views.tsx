import { useMemo } from 'react';
import { ImageDialog } from '../../media/players/image-dialog.tsx';
import type { FlipDirection } from '../../media/players/image-stage.tsx';
import type { ComparedResultsProps } from '../../run/compare/compare-panel.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { Button } from '../../ui/button.tsx';
import {
  type ContactSheet,
  pictureBeside,
  pictureSheet,
  type SheetPicture,
} from './contact-sheet.ts';
import { ImageFactTable } from './image-fact-table.tsx';
import { ImageSliderDialog } from './image-slider-dialog.tsx';
import { requestedImage } from './requested-image.ts';
import styles from './result.module.css';

/** IDs of images. */
export type SheetView =
  | { kind: 'full'; id: string }
  | { kind: 'wipe'; leftId: string; rightId: string };

interface PictureSheetViewsProps extends ComparedResultsProps {
  view: SheetView | null;
  show: (view: SheetView | null) => void;
}

/** Shows images of a comparison large: one after the other, or two over each other. */
export function PictureSheetViews(props: PictureSheetViewsProps) {
  const { comparison, cells, columns, view, show } = props;
  const sheet = useMemo(
    () => pictureSheet(comparison, cells, columns),
    [comparison, cells, columns],
  );
  const pictures = sheet.flat();
  const [first, second] = pictures;
  if (first === undefined) return null;
  const of = (id: string) => pictures.find((picture) => picture.id === id);
  const full = view?.kind === 'full' ? of(view.id) : undefined;
  const left = view?.kind === 'wipe' ? of(view.leftId) : undefined;
  const right = view?.kind === 'wipe' ? of(view.rightId) : undefined;
  return (
    <div className={styles.sheetBar}>
      <Button
        size="small"
        disabledReason={second === undefined ? 'Needs a second image.' : null}
        onClick={() => second && show({ kind: 'wipe', leftId: first.id, rightId: second.id })}
      >
        Wipe between two
      </Button>
      <span className={styles.sheetHint}>Open an image to switch with the arrow keys</span>
      {full !== undefined && <FullView sheet={sheet} picture={full} show={show} />}
      {left !== undefined && right !== undefined && (
        <ImageSliderDialog
          pictures={pictures}
          left={left}
          right={right}
          onChoose={(leftId, rightId) => show({ kind: 'wipe', leftId, rightId })}
          onClose={() => show(null)}
        />
      )}
    </div>
  );
}

const directions: readonly FlipDirection[] = ['left', 'right', 'up', 'down'];

interface FullViewProps {
  sheet: ContactSheet;
  picture: SheetPicture;
  show: (view: SheetView | null) => void;
}

function FullView({ sheet, picture, show }: FullViewProps) {
  const recorded = useRecordedInput(picture.runId);
  const beside = (direction: FlipDirection) => pictureBeside(sheet, picture.id, direction);
  const other = beside('right') ?? beside('left') ?? beside('down') ?? beside('up');
  const flip = {
    onFlip(direction: FlipDirection) {
      const next = beside(direction);
      if (next !== null) show({ kind: 'full', id: next.id });
    },
    directions: new Set(directions.filter((direction) => beside(direction) !== null)),
    across: 'image',
    down: 'row',
    facts: recorded !== null && (
      <ImageFactTable media={picture.media} requested={requestedImage(recorded)} />
    ),
  };
  return (
    <ImageDialog
      open
      media={picture.media}
      title={picture.title}
      flip={flip}
      onClose={() => show(null)}
      actions={
        <Button
          size="small"
          disabledReason={other === null ? 'Needs a second image.' : null}
          onClick={() =>
            other !== null && show({ kind: 'wipe', leftId: picture.id, rightId: other.id })
          }
        >
          Compare with…
        </Button>
      }
    />
  );
}
