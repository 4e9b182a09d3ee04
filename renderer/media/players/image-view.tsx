import { type CSSProperties, type ReactNode, useRef, useState } from 'react';
import { getMediaUrl, type Media } from '../../../shared/media.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlusIcon } from '../../ui/icons/actions.tsx';
import { ArrowUpIcon, FitIcon, MinusIcon } from '../../ui/icons/media.tsx';
import { ArrowDownIcon, ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons/status.tsx';
import { SendToButtons } from '../hand-over/send-to.tsx';
import { DownloadButton } from './download-button.tsx';
import { type FlipDirection, ImageStage, type ImageStageHandle } from './image-stage.tsx';
import styles from './image-view.module.css';
import { MediaFacts, MediaFailed } from './media-details.tsx';

export interface ImageViewProps {
  media: Media;
  title: string;
  size?: 'thumbnail' | 'large';
  /** Buttons in the full view. */
  actions?: ReactNode;
}

/** Shows an image that opens in a full view with zoom when clicked. */
export function ImageView({ media, title, size, actions }: ImageViewProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <ImageButton media={media} title={title} size={size} onOpen={() => setOpen(true)} />
      <ImageDialog
        media={media}
        title={title}
        open={open}
        onClose={() => setOpen(false)}
        actions={actions}
      />
    </>
  );
}

type SizedStyle = CSSProperties & Record<'--width' | '--ratio', string>;

/** Reserves space until the image loads. */
function reservePlace(width: number, height: number) {
  const style: SizedStyle = { '--width': `${width}px`, '--ratio': String(width / height) };
  return { width, height, className: classNames(styles.image, styles.sized), style };
}

interface ImageButtonProps extends Pick<ImageViewProps, 'media' | 'title'> {
  size?: ImageViewProps['size'] | undefined;
  onOpen: () => void;
}

/** The caller renders the full view. */
export function ImageButton({ media, title, size = 'large', onOpen }: ImageButtonProps) {
  const [failedId, setFailedId] = useState<string | null>(null);
  // Set if the photo is stored rotated.
  const [turnedId, setTurnedId] = useState<string | null>(null);
  const { width, height } = media;
  if (failedId === media.id) return <MediaFailed media={media} what="image" />;
  return (
    <button
      type="button"
      aria-label={`Open ${title}`}
      aria-haspopup="dialog"
      className={classNames(styles.button, styles[size])}
      onClick={onOpen}
    >
      <img
        src={getMediaUrl(media.id)}
        alt={title}
        {...(width !== null && height !== null && turnedId !== media.id
          ? reservePlace(width, height)
          : { className: styles.image })}
        loading="lazy"
        decoding="async"
        draggable={false}
        onLoad={({ currentTarget: { naturalWidth } }) => {
          if (width !== null && naturalWidth !== width) setTurnedId(media.id);
        }}
        onError={() => setFailedId(media.id)}
      />
    </button>
  );
}

interface ImageDialogProps {
  media: Media;
  title: string;
  open: boolean;
  onClose: () => void;
  /** Replaces the Send to buttons next to Download. */
  actions?: ReactNode;
  /** Set if the dialog shows one of several images. */
  flip?: ImageFlip | undefined;
  /** Replaces the facts about the file. */
  facts?: ReactNode;
}

export interface ImageFlip {
  /** Arrow keys switch images; with Shift, they pan. */
  onFlip: (direction: FlipDirection) => void;
  /** The directions in which there is another image. */
  directions: ReadonlySet<FlipDirection>;
  /** Names of the next image by direction, such as `variant` or `row`. */
  across: string;
  down: string;
}

/** The wheel, + and - zoom, 0 fits, 1 shows actual size, and dragging and arrow keys pan. */
export function ImageDialog({ open, ...props }: ImageDialogProps) {
  return (
    <Dialog
      open={open}
      // Images may share a file name, so the title distinguishes them while the user switches.
      title={props.flip === undefined ? (props.media.name ?? props.title) : props.title}
      size="full"
      onClose={props.onClose}
    >
      {open && <OpenImage {...props} />}
    </Dialog>
  );
}

function OpenImage({
  media,
  title,
  onClose,
  actions,
  flip,
  facts,
}: Omit<ImageDialogProps, 'open'>) {
  const stage = useRef<ImageStageHandle>(null);
  const [scale, setScale] = useState(1);
  return (
    <div className={styles.view}>
      <ImageStage
        ref={stage}
        media={media}
        title={title}
        onScaleChange={setScale}
        onFlip={flip?.onFlip}
      />
      <div className={styles.row}>
        {flip !== undefined && <FlipButtons flip={flip} title={title} />}
        <IconButton
          label="Zoom out"
          shortcut="-"
          icon={<MinusIcon />}
          onClick={() => stage.current?.zoomBy(1 / 1.25)}
        />
        <output aria-label="Zoom" className={styles.scale}>
          {Math.round(scale * 100)}%
        </output>
        <IconButton
          label="Zoom in"
          shortcut="+"
          icon={<PlusIcon />}
          onClick={() => stage.current?.zoomBy(1.25)}
        />
        <IconButton
          label="Fit"
          shortcut="0"
          icon={<FitIcon />}
          onClick={() => stage.current?.showWhole()}
        />
        <Button size="small" variant="quiet" onClick={() => stage.current?.zoomTo(1)}>
          100%
        </Button>
      </div>
      <div className={styles.side}>
        {facts ?? <MediaFacts media={media} />}
        <ActionBar className={styles.actions}>
          {actions ?? <SendToButtons media={media} onSend={onClose} />}
          <CopyButton
            label="Copy image"
            words="Copy image"
            content={() => createClipboardImage(media)}
          />
          <DownloadButton media={media} />
        </ActionBar>
      </div>
    </div>
  );
}

const flips = [
  { direction: 'left', word: 'Previous', of: 'across', shortcut: '←', Icon: ChevronLeftIcon },
  { direction: 'right', word: 'Next', of: 'across', shortcut: '→', Icon: ChevronRightIcon },
  { direction: 'up', word: 'Previous', of: 'down', shortcut: '↑', Icon: ArrowUpIcon },
  { direction: 'down', word: 'Next', of: 'down', shortcut: '↓', Icon: ArrowDownIcon },
] as const;

function FlipButtons({ flip, title }: { flip: ImageFlip; title: string }) {
  const hasRows = flip.directions.has('up') || flip.directions.has('down');
  return (
    <>
      {flips
        .filter(({ of }) => of === 'across' || hasRows)
        .map(({ direction, word, of, shortcut, Icon }) => (
          <IconButton
            key={direction}
            label={`${word} ${flip[of]}`}
            shortcut={shortcut}
            icon={<Icon size={14} />}
            disabled={!flip.directions.has(direction)}
            onClick={() => flip.onFlip(direction)}
          />
        ))}
      <span role="status" className="visually-hidden">
        {title}
      </span>
    </>
  );
}

/** Browsers support only PNG on the clipboard. */
export function createClipboardImage(media: Pick<Media, 'id'>): ClipboardItem {
  // Pass the image as a promise, because the permission ends with the click.
  return new ClipboardItem({ 'image/png': fetchPng(media) });
}

async function fetchPng({ id }: Pick<Media, 'id'>): Promise<Blob> {
  const response = await fetch(getMediaUrl(id));
  if (!response.ok) throw new Error(`The image couldn’t be loaded (status ${response.status}).`);
  const blob = await response.blob();
  if (blob.type === 'image/png') return blob;
  const bitmap = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type: 'image/png' });
}
