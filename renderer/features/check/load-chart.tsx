import { useWidth } from '../../ui/use-width.ts';
import styles from './check.module.css';

export interface Series {
  model: string;
  points: readonly { atOnce: number; value: number }[];
}

interface LoadChartProps {
  title: string;
  /** Numbers of requests at once, in ascending order. */
  stages: readonly number[];
  solid: readonly Series[];
  dashed?: readonly Series[];
  /** The target, drawn as a line unless it is far above the values. */
  limit?: number | null;
  format: (value: number) => string;
}

const HEIGHT = 200;
const edges = { top: 10, right: 12, bottom: 24, left: 58 };

/** Draws a metric over the requests at once; the table below has the same numbers. */
export function LoadChart(props: LoadChartProps) {
  const { title, stages, solid, dashed = [], limit = null, format } = props;
  const [ref, measured] = useWidth();
  const width = Math.max(220, measured ?? 400);
  const values = [...solid, ...dashed].flatMap(({ points }) => points.map(({ value }) => value));
  if (values.length === 0) {
    return (
      <figure className="stack-4">
        <figcaption className="label">{title}</figcaption>
        <p className="hint">No values</p>
      </figure>
    );
  }
  const most = Math.max(...values);
  const shownLimit = limit !== null && limit <= 3 * most ? limit : null;
  const tick = getTick(Math.max(most, shownLimit ?? 0));
  const ticks = Math.max(1, Math.ceil(Math.max(most, shownLimit ?? 0) / tick));
  const space = (width - edges.left - edges.right) / stages.length;
  const getX = (atOnce: number) => edges.left + space * (stages.indexOf(atOnce) + 0.5);
  const getY = (value: number) =>
    edges.top + (HEIGHT - edges.top - edges.bottom) * (1 - value / (tick * ticks));
  const getPath = ({ points }: Series) =>
    `M${points.map(({ atOnce, value }) => `${getX(atOnce)} ${getY(value)}`).join('L')}`;
  const renderLine = (value: number, className?: string) => {
    const y = getY(value);
    return <line className={className} x1={edges.left} x2={width - edges.right} y1={y} y2={y} />;
  };
  return (
    <figure ref={ref} className="stack-4">
      <figcaption className="label">{title}</figcaption>
      <svg
        role="img"
        aria-label={`${title} over the requests at once`}
        className={styles.chart}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        height={HEIGHT}
      >
        {Array.from({ length: ticks + 1 }, (_, index) => index * tick).map((value) => (
          <g key={value}>
            {renderLine(value)}
            <text x={edges.left - 8} y={getY(value)} dy="0.32em" textAnchor="end">
              {value === 0 ? '0' : format(value)}
            </text>
          </g>
        ))}
        <text x={edges.left - 8} y={HEIGHT - 6} textAnchor="end">
          At once
        </text>
        {stages.map((atOnce) => (
          <text key={atOnce} x={getX(atOnce)} y={HEIGHT - 6} textAnchor="middle">
            {atOnce}
          </text>
        ))}
        {shownLimit !== null && renderLine(shownLimit, styles.limit)}
        {dashed.map((series, index) => (
          <g key={series.model} data-series={index % COLORS}>
            {series.points.length > 0 && (
              <path strokeDasharray={getDashes(index)} d={getPath(series)} />
            )}
          </g>
        ))}
        {solid.map((series, index) => (
          <g key={series.model} data-series={index % COLORS}>
            {series.points.length > 0 && <path d={getPath(series)} />}
            {series.points.map(({ atOnce, value }) => (
              <path
                key={atOnce}
                className={styles.point}
                d={getShape(index)}
                transform={`translate(${getX(atOnce)} ${getY(value)})`}
              />
            ))}
          </g>
        ))}
      </svg>
    </figure>
  );
}

/** Shows how the chart marks the points of a series, by shape as well as by color. */
export function Marker({ index }: { index: number }) {
  return (
    <svg viewBox="-6 -6 12 12" aria-hidden="true" className={styles.chart} style={{ width: 12 }}>
      <g data-series={index % COLORS}>
        <path className={styles.point} d={getShape(index)} />
      </g>
    </svg>
  );
}

const COLORS = 5;

/** Pairs each color with another shape in each round, so that all of 20 models look different. */
function getShape(index: number): string | undefined {
  return shapes[(index + Math.floor(index / COLORS)) % shapes.length];
}

/** Dashed lines have no points, so their dashes are longer in each round of the colors. */
function getDashes(index: number): string {
  return `${4 * (1 + Math.floor(index / COLORS))} 3`;
}

/** Paths around the origin: circle, square, diamond, triangle and cross. */
const shapes = [
  'M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0Z',
  'M-3.2 -3.2H3.2V3.2H-3.2Z',
  'M0 -4.4L4.4 0L0 4.4L-4.4 0Z',
  'M0 -4.2L4 3.2H-4Z',
  'M-3.4 -3.4L3.4 3.4M3.4 -3.4L-3.4 3.4',
];

/** Returns 1, 2 or 5 times a power of ten, so that an axis has about four ticks. */
function getTick(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 0.001) / 4));
  const step = Math.max(most, 0.001) / 4 / power;
  return power * (step <= 1 ? 1 : step <= 2 ? 2 : step <= 5 ? 5 : 10);
}
