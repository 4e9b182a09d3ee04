import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { watchTheme } from '../../ui/watch-theme.ts';
import styles from './embeddings.module.css';
import { formatScore, getHeat, type ShownMatrix } from './measures.ts';

/** Draws one pixel per pair and scales it, so that a large matrix needs no DOM elements. */
export function HeatMap({ matrix, order, names }: ShownMatrix) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [pair, setPair] = useState<{ row: number; column: number } | null>(null);
  const count = order.length;

  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const draw = () => drawMatrix(element, { matrix, order, names });
    draw();
    return watchTheme(draw);
  }, [matrix, order, names]);

  function point({ currentTarget, clientX, clientY }: PointerEvent): void {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const column = Math.floor(((clientX - left) / width) * count);
    const row = Math.floor(((clientY - top) / height) * count);
    const isInside = row >= 0 && row < count && column >= 0 && column < count;
    setPair(isInside ? { row, column } : null);
  }

  return (
    <div className={styles.heatMap}>
      <div className={styles.pixelsBox}>
        <canvas
          ref={canvas}
          width={count}
          height={count}
          role="img"
          aria-label={`Similarities of ${count} inputs; the table has the numbers`}
          className={styles.pixels}
          onPointerMove={point}
          onPointerLeave={() => setPair(null)}
        />
      </div>
      <div className={styles.legend} aria-hidden="true">
        <span>{formatScore(matrix.min)}</span>
        <span className={styles.scale} />
        <span>{formatScore(matrix.max)}</span>
      </div>
      <div className={styles.readout}>
        {pair === null ? (
          <p className="caption">Point at a cell to see its inputs.</p>
        ) : (
          <Pair matrix={matrix} order={order} names={names} {...pair} />
        )}
      </div>
    </div>
  );
}

function Pair({
  matrix,
  order,
  names,
  row,
  column,
}: ShownMatrix & { row: number; column: number }) {
  const [first = 0, second = 0] = [order[row], order[column]];
  const score = matrix.scores[first * order.length + second] ?? 0;
  const inputs = [matrix.rows[first] ?? 0, matrix.rows[second] ?? 0];
  return (
    <>
      <p className="tabular">{formatScore(score)}</p>
      {inputs.map((input, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an input may be compared with itself.
        <p key={at} className="caption truncate" dir="auto">
          {input + 1} · {names[input]}
        </p>
      ))}
    </>
  );
}

function drawMatrix(canvas: HTMLCanvasElement, { matrix, order }: ShownMatrix): void {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return;
  const count = order.length;
  context.fillStyle = getComputedStyle(canvas).color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  const image = context.createImageData(count, count);
  let at = 0;
  for (const first of order) {
    for (const second of order) {
      const heat = getHeat(matrix.scores[first * count + second] ?? 0, matrix);
      image.data[at] = red;
      image.data[at + 1] = green;
      image.data[at + 2] = blue;
      image.data[at + 3] = Math.round(255 * heat);
      at += 4;
    }
  }
  context.putImageData(image, 0, 0);
}
