import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { fitView, keepInSight, type Size, type View, zoomView } from './zoom.ts';

export interface Zoom {
  view: View;
  zoomBy(factor: number): void;
  zoomTo(scale: number): void;
  showWhole(): void;
  moveBy(x: number, y: number): void;
}

/** Keeps the picture fitted to its frame until somebody zooms or moves it. */
export function useZoom(
  frame: RefObject<HTMLElement | null>,
  picture: Size,
  onScaleChange: (scale: number) => void,
): Zoom {
  const [view, setView] = useState<View>({ scale: 1, x: 0, y: 0 });
  const fitted = useRef(true);
  const { width, height } = picture;

  const change = useCallback(
    (next: (view: View, picture: Size, frame: Size) => View) => {
      const element = frame.current;
      if (element === null) return;
      const size = { width: element.clientWidth, height: element.clientHeight };
      setView((current) => next(current, { width, height }, size));
    },
    [frame, width, height],
  );
  const zoom = useCallback(
    (scaleOf: (scale: number) => number, about = { x: 0, y: 0 }) => {
      fitted.current = false;
      change((current, of, size) => zoomView(current, scaleOf(current.scale), about, of, size));
    },
    [change],
  );
  const showWhole = useCallback(() => {
    fitted.current = true;
    change((_, of, size) => fitView(of, size));
  }, [change]);

  useLayoutEffect(() => onScaleChange(view.scale), [view.scale, onScaleChange]);

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
    // React's own wheel listeners are passive: the dialog would scroll along.
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
          keepInSight({ ...current, x: current.x + x, y: current.y + y }, of, size),
        );
      },
      [change],
    ),
  };
}
