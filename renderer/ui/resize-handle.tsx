// Hand-written because Base UI's separator can't be dragged.
import type { PointerEvent } from 'react';
import { classNames } from './class-names.ts';
import styles from './resize-handle.module.css';

interface ResizeHandleProps {
  label: string;
  /** The edge of the positioned parent that the handle sits on. */
  edge: 'top' | 'right';
  /** In pixels, like the next three props. */
  size: number;
  min: number;
  max: number;
  defaultSize: number;
  /** Returns the size that puts the edge at the pointer. */
  sizeAt: (event: PointerEvent<HTMLElement>) => number;
  onResize: (size: number) => void;
}

const stepPx = 16;

export function ResizeHandle(props: ResizeHandleProps) {
  const { label, edge, size, min, max, defaultSize, sizeAt, onResize } = props;
  const isTop = edge === 'top';
  const keys: Record<string, number> = {
    [isTop ? 'ArrowUp' : 'ArrowRight']: size + stepPx,
    [isTop ? 'ArrowDown' : 'ArrowLeft']: size - stepPx,
    PageUp: size + 6 * stepPx,
    PageDown: size - 6 * stepPx,
    Home: min,
    End: max,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> can't be focused or moved
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={isTop ? 'horizontal' : 'vertical'}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={Math.max(size, max)}
      className={classNames(styles.handle, styles[edge])}
      onKeyDown={(event) => {
        const next = keys[event.key];
        if (next === undefined) return;
        event.preventDefault();
        onResize(next);
      }}
      onDoubleClick={() => onResize(defaultSize)}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        onResize(sizeAt(event));
      }}
    />
  );
}
