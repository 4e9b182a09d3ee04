/** Where a picture lies in its frame: its centre's distance from the frame's, in screen pixels. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

const MAX_SCALE = 32;

/** The whole picture, never larger than its pixels. */
export function fitView(picture: Size, frame: Size): View {
  const scale = Math.min(1, frame.width / picture.width, frame.height / picture.height);
  return { scale: Number.isFinite(scale) && scale > 0 ? scale : 1, x: 0, y: 0 };
}

/** Zooms about a point of the frame (from its centre), which stays under the pointer. */
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
  return keepInSight(
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
export function keepInSight(view: View, picture: Size, frame: Size): View {
  const limit = (pictureSide: number, frameSide: number) =>
    Math.max(0, (pictureSide * view.scale - frameSide) / 2) + frameSide / 4;
  const between = (value: number, most: number) => Math.min(most, Math.max(-most, value));
  return {
    scale: view.scale,
    x: between(view.x, limit(picture.width, frame.width)),
    y: between(view.y, limit(picture.height, frame.height)),
  };
}
