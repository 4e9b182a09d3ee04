import {
  type CSSProperties,
  type PointerEvent,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { getMediaUrl, type Media } from '../../../../shared/media.ts';
import styles from './mask.module.css';
import { drawSteps, type MaskStep, type Point, type Stroke } from './mask-steps.ts';

interface MaskCanvasProps {
  ref: Ref<HTMLCanvasElement>;
  image: Media;
  /** The size of the image as shown, which its orientation may turn. */
  onSize: (size: { width: number; height: number }) => void;
  steps: readonly MaskStep[];
  tool: Stroke['kind'];
  /** The share of the longer side, from 0 to 1. */
  brush: number;
  onStroke: (stroke: Stroke) => void;
}

/** Shows the image with the painted mask over it. */
export function MaskCanvas(props: MaskCanvasProps) {
  const { ref, image, onSize, steps, tool, brush, onStroke } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const ring = useRef<HTMLSpanElement>(null);
  const points = useRef<Point[] | null>(null);
  const [size, setSize] = useState({ width: image.width ?? 1, height: image.height ?? 1 });
  const diameter = brush * Math.max(size.width, size.height);
  useImperativeHandle(ref, () => canvas.current ?? document.createElement('canvas'));
  useLayoutEffect(() => {
    if (canvas.current !== null && size.width > 0) drawSteps(canvas.current, steps);
  }, [steps, size.width]);

  function toStroke(all: readonly Point[]): Stroke {
    return { kind: tool, size: diameter, points: all };
  }

  function addPoints(event: PointerEvent<HTMLCanvasElement>): void {
    const { currentTarget, nativeEvent } = event;
    const { left, top, width } = currentTarget.getBoundingClientRect();
    const scale = size.width / width;
    const place = ({ clientX, clientY }: { clientX: number; clientY: number }) => ({
      x: (clientX - left) * scale,
      y: (clientY - top) * scale,
    });
    const missed = nativeEvent.getCoalescedEvents();
    points.current?.push(...(missed.length > 0 ? missed : [event]).map(place));
    if (points.current !== null) drawSteps(currentTarget, [...steps, toStroke(points.current)]);
  }

  function moveRing({ currentTarget, clientX, clientY }: PointerEvent<HTMLCanvasElement>): void {
    const { left, top, width } = currentTarget.getBoundingClientRect();
    if (ring.current === null) return;
    ring.current.style.width = `${(diameter / size.width) * width}px`;
    ring.current.style.translate = `calc(${clientX - left}px - 50%) calc(${clientY - top}px - 50%)`;
  }

  const style: CSSProperties & Record<'--ratio', number> = { '--ratio': size.width / size.height };
  return (
    <div className={styles.frame} style={style}>
      <img
        src={getMediaUrl(image.id)}
        alt="To edit"
        draggable={false}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
          setSize({ width, height });
          onSize({ width, height });
        }}
      />
      <canvas
        ref={canvas}
        className={styles.canvas}
        aria-label="Mask"
        role="img"
        width={size.width}
        height={size.height}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          points.current = [];
          addPoints(event);
        }}
        onPointerMove={(event) => {
          moveRing(event);
          if (points.current !== null) addPoints(event);
        }}
        onPointerUp={() => {
          if (points.current !== null) onStroke(toStroke(points.current));
          points.current = null;
        }}
        onPointerCancel={({ currentTarget }) => {
          points.current = null;
          drawSteps(currentTarget, steps);
        }}
      />
      <span ref={ring} className={styles.ring} aria-hidden="true" />
    </div>
  );
}
