import {
  type KeyboardEvent,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Media } from '../../../shared/media.ts';
import { mediaUrl } from '../../../shared/media-reference.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './image-stage.module.css';
import { useZoom } from './zoom.ts';

export interface ImageStageHandle {
  zoomBy(factor: number): void;
  zoomTo(scale: number): void;
  showWhole(): void;
}

export type FlipDirection = 'left' | 'right' | 'up' | 'down';

export interface ImageStageProps {
  media: Media;
  title: string;
  onScaleChange: (scale: number) => void;
  /** The arrow keys lead to other pictures; Shift with them moves this one. */
  onFlip?: ((direction: FlipDirection) => void) | undefined;
  ref: Ref<ImageStageHandle>;
}

const MOVE_PIXELS = 60;

const panKeys = 'zoom with + and −, pan with the arrow keys';
const flipKeys = 'zoom with + and −, switch images with the arrow keys, pan with Shift';

const flips: Readonly<Record<string, FlipDirection>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** The frame in which a picture is zoomed and moved. */
export function ImageStage({ media, title, onScaleChange, onFlip, ref }: ImageStageProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<{ id: string; width: number; height: number } | null>(null);
  // What is drawn counts: a photo may be stored turned.
  const natural =
    drawn?.id === media.id ? drawn : { width: media.width ?? 0, height: media.height ?? 0 };
  const zoom = useZoom(frame, natural, onScaleChange);
  const { view, zoomBy, zoomTo, showWhole, moveBy } = zoom;
  const [held, setHeld] = useState<{ x: number; y: number } | null>(null);

  // React writes no such attribute on a div; the dialog would focus its Close button.
  useLayoutEffect(() => frame.current?.setAttribute('autofocus', ''), []);
  useImperativeHandle(ref, () => ({ zoomBy, zoomTo, showWhole }), [zoomBy, zoomTo, showWhole]);

  function onKeyDown(event: KeyboardEvent): void {
    const moves: Record<string, () => void> = {
      '+': () => zoomBy(1.25),
      '=': () => zoomBy(1.25),
      '-': () => zoomBy(1 / 1.25),
      0: showWhole,
      1: () => zoomTo(1),
      ArrowLeft: () => moveBy(MOVE_PIXELS, 0),
      ArrowRight: () => moveBy(-MOVE_PIXELS, 0),
      ArrowUp: () => moveBy(0, MOVE_PIXELS),
      ArrowDown: () => moveBy(0, -MOVE_PIXELS),
    };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = flips[event.key];
    const flip = event.shiftKey || direction === undefined ? undefined : onFlip;
    const move = flip === undefined ? moves[event.key] : () => direction && flip(direction);
    if (move === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  }

  return (
    <div
      ref={frame}
      role="application"
      aria-label={`${title}: ${onFlip === undefined ? panKeys : flipKeys}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the zoom keys.
      tabIndex={0}
      className={classNames(styles.frame, held !== null && styles.held)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setHeld({ x: event.clientX, y: event.clientY });
      }}
      onPointerMove={(event) => {
        if (held === null) return;
        moveBy(event.clientX - held.x, event.clientY - held.y);
        setHeld({ x: event.clientX, y: event.clientY });
      }}
      onPointerUp={() => setHeld(null)}
      onPointerCancel={() => setHeld(null)}
      onDoubleClick={() => (view.scale === 1 ? showWhole() : zoomTo(1))}
    >
      <img
        // Never one picture in the size of another.
        key={media.id}
        src={mediaUrl(media.id)}
        alt={title}
        draggable={false}
        // Switching back and forth shows what differs only where nothing is empty in between.
        decoding={onFlip === undefined ? 'async' : 'sync'}
        className={classNames(styles.picture, view.scale >= 2 && styles.pixels)}
        style={{
          width: natural.width || undefined,
          height: natural.height || undefined,
          translate: `calc(-50% + ${view.x}px) calc(-50% + ${view.y}px)`,
          scale: view.scale,
        }}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setDrawn({ id: media.id, width: naturalWidth, height: naturalHeight })
        }
      />
    </div>
  );
}
