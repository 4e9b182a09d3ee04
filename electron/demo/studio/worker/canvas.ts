/** An in-memory RGB image with the shapes used to paint scenes. */

export type Color = readonly [red: number, green: number, blue: number];

export interface Canvas {
  width: number;
  height: number;
  rgb: Uint8Array;
}

export function createCanvas(width: number, height: number): Canvas {
  return { width, height, rgb: new Uint8Array(width * height * 3) };
}

export function mix(from: Color, to: Color, share: number): Color {
  const part = Math.min(1, Math.max(0, share));
  return [
    from[0] + (to[0] - from[0]) * part,
    from[1] + (to[1] - from[1]) * part,
    from[2] + (to[2] - from[2]) * part,
  ];
}

export function blend(canvas: Canvas, x: number, y: number, color: Color, opacity: number): void {
  if (x < 0 || y < 0 || x >= canvas.width || y >= canvas.height || opacity <= 0) return;
  const { rgb } = canvas;
  const at = (y * canvas.width + x) * 3;
  const share = Math.min(1, opacity);
  for (let channel = 0; channel < 3; channel += 1) {
    const below = rgb[at + channel] ?? 0;
    rgb[at + channel] = below + ((color[channel] ?? 0) - below) * share + 0.5;
  }
}

export function fillBox(
  canvas: Canvas,
  [left, top, right, bottom]: readonly [number, number, number, number],
  color: Color,
  opacity = 1,
): void {
  const lastRow = Math.min(canvas.height, Math.round(bottom));
  const lastColumn = Math.min(canvas.width, Math.round(right));
  for (let y = Math.max(0, Math.round(top)); y < lastRow; y += 1) {
    for (let x = Math.max(0, Math.round(left)); x < lastColumn; x += 1) {
      blend(canvas, x, y, color, opacity);
    }
  }
}

/** A `softness` of 0 gives an antialiased edge; 1 fades from the center. */
export function fillDisc(
  canvas: Canvas,
  [centerX, centerY, radius]: readonly [number, number, number],
  color: Color,
  opacity: number,
  softness: number,
): void {
  const lastRow = Math.min(canvas.height - 1, Math.ceil(centerY + radius));
  const lastColumn = Math.min(canvas.width - 1, Math.ceil(centerX + radius));
  for (let y = Math.max(0, Math.floor(centerY - radius)); y <= lastRow; y += 1) {
    for (let x = Math.max(0, Math.floor(centerX - radius)); x <= lastColumn; x += 1) {
      const distance = Math.hypot(x - centerX, y - centerY);
      if (distance >= radius) continue;
      const edge =
        softness === 0 ? Math.min(1, radius - distance) : (1 - distance / radius) ** 2 * softness;
      blend(canvas, x, y, color, opacity * edge);
    }
  }
}

export function toColor(hue: number, saturation: number, lightness: number): Color {
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const position = (offset + (((hue % 360) + 360) % 360) / 30) % 12;
    return 255 * (lightness - chroma * Math.max(-1, Math.min(position - 3, 9 - position, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}
