import { createContext, type ReactNode, useContext, useState } from 'react';
import { getDraftIds } from '../../../shared/operations/image/state.ts';
import { isFinished } from '../../../shared/run.ts';
import { ImageButton } from '../../media/players/image-view.tsx';
import { MediaView } from '../../media/players/media-view.tsx';
import {
  type ComparedCellProps,
  type ComparePanel,
  createFirstOutputFigure,
  sizeFigure,
  tokenFigures,
  totalFigure,
} from '../../run/compare/compare-panel.ts';
import { useRun } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { classNames } from '../../ui/class-names.ts';
import { Waiting } from '../../ui/spinner.tsx';
import { getSheetImageId } from './contact-sheet.ts';
import { getRequestedImage } from './image-facts.ts';
import { ImageFactLines } from './image-facts-view.tsx';
import { ImageSheetViews, type SheetView } from './image-sheet-views.tsx';
import styles from './result.module.css';

interface ShownView {
  view: SheetView | null;
  show: (view: SheetView | null) => void;
}

const ViewContext = createContext<ShownView>({ view: null, show() {} });

function ImageFrame({ children }: { children: ReactNode }) {
  const [view, show] = useState<SheetView | null>(null);
  return <ViewContext value={{ view, show }}>{children}</ViewContext>;
}

function ImageCell({ cell, run, title: cellTitle }: ComparedCellProps) {
  const view = useRun('image', run.id);
  const recorded = useRecordedInput(run.id);
  const { show } = useContext(ViewContext);
  if (view === null || recorded === null) return null;
  const parts = view.state.candidates.flatMap((candidate) => candidate.parts);
  if (parts.length === 0 && !isFinished(view.status)) {
    return <Waiting>Generating image…</Waiting>;
  }
  const requested = getRequestedImage(recorded);
  const drafts = getDraftIds(view.state.candidates);
  const received = parts.flatMap((part) =>
    part.type === 'media' && !drafts.has(part.mediaId)
      ? (view.state.media.find(({ id }) => id === part.mediaId) ?? [])
      : [],
  );
  const text = parts.flatMap((part) => (part.type === 'text' && !part.thought ? [part.text] : []));
  return (
    <>
      {received.map((media, index) => {
        const title = `image ${received.length > 1 ? `${index + 1} ` : ''}of ${cellTitle}`;
        return (
          <div key={media.id} className={styles.sheetImage}>
            {media.kind === 'image' && media.complete ? (
              <ImageButton
                media={media}
                title={title}
                onOpen={() => show({ kind: 'full', id: getSheetImageId(cell, media) })}
              />
            ) : (
              <MediaView media={media} title={title} />
            )}
            {media.complete && <ImageFactLines media={media} requested={requested} />}
          </div>
        );
      })}
      {text.length > 0 && <SheetText text={text.join('\n\n')} />}
    </>
  );
}

function SheetText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <button
      type="button"
      className={classNames(styles.sheetText, 'bare')}
      data-open={isOpen || undefined}
      aria-expanded={isOpen}
      onClick={() => setOpen(!isOpen)}
    >
      {text}
    </button>
  );
}

export const imageComparePanel: ComparePanel = {
  figures: [createFirstOutputFigure('First image'), totalFigure, ...tokenFigures, sizeFigure],
  cellFigures: ['first', 'total', 'out', 'cost'],
  Frame: ImageFrame,
  Result: ImageCell,
  Overview(results) {
    return <ImageSheetViews {...results} {...useContext(ViewContext)} />;
  },
};
