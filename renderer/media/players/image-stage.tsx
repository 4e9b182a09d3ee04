import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { getMediaUrl, type Media } from '../../../shared/media.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './image-view.module.css';

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
  /** Arrow keys switch images; with Shift, they pan. */
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

export function ImageStage({ media, title, onScaleChange, onFlip, ref }: ImageStageProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<{ id: string; width: number; height: number } | null>(null);
  // Use the rendered size, because a photo may be stored rotated.
  const natural =
    drawn?.id === media.id ? drawn : { width: media.width ?? 0, height: media.height ?? 0 };
  const zoom = useZoom(frame, natural, onScaleChange);
  const { view, zoomBy, zoomTo, showWhole, moveBy } = zoom;
  const [held, setHeld] = useState<{ x: number; y: number } | null>(null);

  // React omits `autofocus` on a div, so the dialog would focus its Close button.
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
        // A new element never shows an image at the previous image's size.
        key={media.id}
        src={getMediaUrl(media.id)}
        alt={title}
        draggable={false}
        // Decode synchronously to avoid a blank frame when switching images.
        decoding={onFlip === undefined ? 'async' : 'sync'}
        className={classNames(styles.zoomedImage, view.scale >= 2 && styles.pixels)}
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

interface Zoom {
  view: View;
  zoomBy(factor: number): void;
  zoomTo(scale: number): void;
  showWhole(): void;
  moveBy(x: number, y: number): void;
}

/** Fits the image to its frame until the user zooms or pans. */
export function useZoom(
  frame: RefObject<HTMLElement | null>,
  imageSize: Size,
  onScaleChange: (scale: number) => void,
): Zoom {
  const [view, setView] = useState<View>({ scale: 1, x: 0, y: 0 });
  const fitted = useRef(true);
  const { width, height } = imageSize;

  const change = useCallback(
    (next: (view: View, imageSize: Size, frame: Size) => View) => {
      const element = frame.current;
      if (element === null) return;
      const size = { width: element.clientWidth, height: element.clientHeight };
      setView((current) => next(current, { width, height }, size));
    },
    [frame, width, height],
  );
  const zoom = useCallback(
    (getScale: (scale: number) => number, about = { x: 0, y: 0 }) => {
      fitted.current = false;
      change((current, of, size) => zoomView(current, getScale(current.scale), about, of, size));
    },
    [change],
  );
  const showWhole = useCallback(() => {
    fitted.current = true;
    change((_, of, size) => fitView(of, size));
  }, [change]);

  useLayoutEffect(() => onScaleChange(view.scale), [view.scale, onScaleChange]);

  // Fit the next image before it's painted.
  useLayoutEffect(() => {
    if (fitted.current) showWhole();
  }, [showWhole]);

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      if (fitted.current) showWhole();
    });
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      zoom((scale) => scale * Math.exp((-event.deltaY * lines) / 400), {
        x: event.clientX - box.left - box.width / 2,
        y: event.clientY - box.top - box.height / 2,
      });
    };
    observer.observe(element);
    // React's wheel listeners are passive and can't stop the dialog from scrolling.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener('wheel', onWheel);
    };
  }, [frame, showWhole, zoom]);

  return {
    view,
    showWhole,
    zoomBy: useCallback((factor) => zoom((scale) => scale * factor), [zoom]),
    zoomTo: useCallback((scale) => zoom(() => scale), [zoom]),
    moveBy: useCallback(
      (x, y) => {
        fitted.current = false;
        change((current, of, size) =>
          clampPan({ ...current, x: current.x + x, y: current.y + y }, of, size),
        );
      },
      [change],
    ),
  };
}

/** The offset in screen pixels from the frame's center to the image's center. */
interface View {
  scale: number;
  x: number;
  y: number;
}

interface Size {
  width: number;
  height: number;
}

const MAX_SCALE = 32;

/** Shows the whole image, but doesn't enlarge it. */
export function fitView(imageSize: Size, frame: Size): View {
  const scale = Math.min(1, frame.width / imageSize.width, frame.height / imageSize.height);
  return { scale: Number.isFinite(scale) && scale > 0 ? scale : 1, x: 0, y: 0 };
}

/** Zooms around a point, given relative to the frame's center. */
export function zoomView(
  view: View,
  scale: number,
  about: { x: number; y: number },
  imageSize: Size,
  frame: Size,
): View {
  const minScale = Math.min(fitView(imageSize, frame).scale, 1) / 2;
  const next = Math.min(MAX_SCALE, Math.max(minScale, scale));
  const ratio = next / view.scale;
  return clampPan(
    {
      scale: next,
      x: about.x - (about.x - view.x) * ratio,
      y: about.y - (about.y - view.y) * ratio,
    },
    imageSize,
    frame,
  );
}

/** Keeps half of the frame covered, or half of the image visible if it's smaller. */
export function clampPan(view: View, imageSize: Size, frame: Size): View {
  const limit = (imageSide: number, frameSide: number) =>
    Math.max(0, (imageSide * view.scale - frameSide) / 2) + frameSide / 4;
  const clampAround = (value: number, maxValue: number) =>
    Math.min(maxValue, Math.max(-maxValue, value));
  return {
    scale: view.scale,
    x: clampAround(view.x, limit(imageSize.width, frame.width)),
    y: clampAround(view.y, limit(imageSize.height, frame.height)),
  };
}
