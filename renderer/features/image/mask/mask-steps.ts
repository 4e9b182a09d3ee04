/** Draws a mask in image pixels; the model may change painted pixels. */

export interface Point {
  x: number;
  y: number;
}

export interface Stroke {
  kind: 'paint' | 'erase';
  /** The diameter in pixels. */
  size: number;
  points: readonly Point[];
}

/** A file replaces the drawn mask; the model may change its transparent pixels. */
export type MaskStep = Stroke | { kind: 'clear' } | { kind: 'file'; bitmap: ImageBitmap };

export function drawSteps(canvas: HTMLCanvasElement, steps: readonly MaskStep[]): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const color = getComputedStyle(canvas).color;
  clear(context);
  for (const step of steps) {
    if (step.kind === 'clear') clear(context);
    else if (step.kind === 'file') drawFile(context, step.bitmap, color);
    else drawStroke(context, step, color);
  }
}

function clear(context: CanvasRenderingContext2D): void {
  const { width, height } = context.canvas;
  context.globalCompositeOperation = 'source-over';
  context.clearRect(0, 0, width, height);
}

function drawFile(context: CanvasRenderingContext2D, bitmap: ImageBitmap, color: string): void {
  const { width, height } = context.canvas;
  clear(context);
  context.fillStyle = color;
  context.fillRect(0, 0, width, height);
  context.globalCompositeOperation = 'destination-out';
  context.drawImage(bitmap, 0, 0, width, height);
}

function drawStroke(
  context: CanvasRenderingContext2D,
  { kind, size, points }: Stroke,
  color: string,
): void {
  const [first] = points;
  if (first === undefined) return;
  context.globalCompositeOperation = kind === 'paint' ? 'source-over' : 'destination-out';
  context.strokeStyle = color;
  context.lineWidth = size;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.beginPath();
  context.moveTo(first.x, first.y);
  for (const { x, y } of points.slice(1)) context.lineTo(x, y);
  context.stroke();
  // Draw a dot, because a zero-length line draws nothing.
  context.fillStyle = color;
  context.beginPath();
  context.arc(first.x, first.y, size / 2, 0, 2 * Math.PI);
  context.fill();
}

/** Pixels with a lower alpha are antialiased edges of strokes. */
const HALF = 127;

export function isPainted(canvas: HTMLCanvasElement): boolean {
  const { width, height } = canvas;
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
  for (let at = 3; at < pixels.length; at += 4) if ((pixels[at] ?? 0) > HALF) return true;
  return false;
}

/** Returns a PNG that is transparent where the mask is painted, and black elsewhere. */
export async function toMaskFile(painted: HTMLCanvasElement): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = painted.width;
  canvas.height = painted.height;
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.globalCompositeOperation = 'destination-out';
  context.drawImage(painted, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
