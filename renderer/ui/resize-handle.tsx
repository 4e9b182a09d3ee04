import type { PointerEvent } from 'react';
import { classNames } from './class-names.ts';
import styles from './resize-handle.module.css';

interface ResizeHandleProps {
  /** What it changes: "Inspector height". */
  label: string;
  /** The edge of its positioned parent that it lies on. */
  edge: 'top' | 'right';
  /** All in pixels. */
  size: number;
  least: number;
  most: number;
  usual: number;
  /** The size that an edge at the pointer makes. */
  sizeAt: (event: PointerEvent<HTMLElement>) => number;
  onResize: (size: number) => void;
}

const stepPx = 16;

/** An edge that is dragged, or moved with the arrow keys, Home and End; a double click makes it usual again. */
export function ResizeHandle(props: ResizeHandleProps) {
  const { label, edge, size, least, most, usual, sizeAt, onResize } = props;
  const isTop = edge === 'top';
  const keys: Record<string, number> = {
    [isTop ? 'ArrowUp' : 'ArrowRight']: size + stepPx,
    [isTop ? 'ArrowDown' : 'ArrowLeft']: size - stepPx,
    PageUp: size + 6 * stepPx,
    PageDown: size - 6 * stepPx,
    Home: least,
    End: most,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that takes focus and moves is no <hr>
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={isTop ? 'horizontal' : 'vertical'}
      aria-valuenow={size}
      aria-valuemin={least}
      aria-valuemax={Math.max(size, most)}
      className={classNames(styles.handle, styles[edge])}
      onKeyDown={(event) => {
        const next = keys[event.key];
        if (next === undefined) return;
        event.preventDefault();
        onResize(next);
      }}
      onDoubleClick={() => onResize(usual)}
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
