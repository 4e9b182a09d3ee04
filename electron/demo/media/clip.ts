/** The demo gateway's film: the gatehouse by night, and a boat that passes. */
import { type AviVideo, encodeRle8Frame, encodeRle8Row } from './avi.ts';
import { drawGatehouse } from './drawing.ts';
import type { VideoPlan } from './task-list.ts';

/** Dark wood, appended to the picture's palette. */
const BOAT_COLOUR = [92, 58, 33] as const;

/** Only the rows that the boat crosses are coded anew for each frame. */
export function filmGatehouse(plan: VideoPlan): AviVideo {
  const { width, height, durationSeconds, fps } = plan;
  const scene = drawGatehouse(width, height, `${plan.seed} ${plan.prompt}`);
  const colour = scene.palette.length;
  const rowOf = (y: number) => scene.pixels.subarray(y * width, (y + 1) * width);
  const stillRows = Array.from({ length: height }, (_, y) => encodeRle8Row(rowOf(y)));
  const boat = {
    width: Math.max(1, Math.round(width / 10)),
    height: Math.max(1, Math.round(height / 24)),
    top: Math.round(height * 0.86),
  };
  const count = Math.max(1, durationSeconds * fps);
  const frames = Array.from({ length: count }, (_, frame) => {
    const left = Math.round((frame / Math.max(1, count - 1)) * (width - boat.width));
    const rows = stillRows.map((still, y) => {
      const line = y - boat.top;
      if (line < 0 || line >= boat.height) return still;
      const row = rowOf(y).slice();
      row.fill(colour, left + line, Math.max(left + line, left + boat.width - line));
      return encodeRle8Row(row);
    });
    return encodeRle8Frame(rows);
  });
  return { width, height, fps, palette: [...scene.palette, BOAT_COLOUR], frames };
}
