import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface Zoom {
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

  // Another picture, perhaps of another size, is fitted before it is drawn.
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
          clampPan({ ...current, x: current.x + x, y: current.y + y }, of, size),
        );
      },
      [change],
    ),
  };
}

/** Where a picture lies in its frame: its center's distance from the frame's, in screen pixels. */
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

/** The whole picture, never larger than its pixels. */
export function fitView(picture: Size, frame: Size): View {
  const scale = Math.min(1, frame.width / picture.width, frame.height / picture.height);
  return { scale: Number.isFinite(scale) && scale > 0 ? scale : 1, x: 0, y: 0 };
}

/** Zooms about a point of the frame (from its center), which stays under the pointer. */
export function zoomView(
  view: View,
  scale: number,
  about: { x: number; y: number },
  picture: Size,
  frame: Size,
): View {
  const smallest = Math.min(fitView(picture, frame).scale, 1) / 2;
  const next = Math.min(MAX_SCALE, Math.max(smallest, scale));
  const ratio = next / view.scale;
  return clampPan(
    {
      scale: next,
      x: about.x - (about.x - view.x) * ratio,
      y: about.y - (about.y - view.y) * ratio,
    },
    picture,
    frame,
  );
}

/** Half of the frame, or of a smaller picture, stays covered. */
export function clampPan(view: View, picture: Size, frame: Size): View {
  const limit = (imageSide: number, frameSide: number) =>
    Math.max(0, (imageSide * view.scale - frameSide) / 2) + frameSide / 4;
  const between = (value: number, most: number) => Math.min(most, Math.max(-most, value));
  return {
    scale: view.scale,
    x: between(view.x, limit(picture.width, frame.width)),
    y: between(view.y, limit(picture.height, frame.height)),
  };
}
