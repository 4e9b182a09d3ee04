import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { pluralize } from '../../lib/format-quantity.ts';
import { useForm } from '../../run/form/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { watchTheme } from '../../ui/watch-theme.ts';
import styles from './embeddings.module.css';
import { embeddingsForm, useEmbeddingsViews } from './embeddings-form.ts';
import {
  countGroups,
  drawMap,
  findPoint,
  groupColor,
  moveTo,
  type PlacedPoint,
  placePoints,
} from './map-points.ts';
import type { Projection } from './work/project-vectors.ts';
import { useTask } from './work/use-task.ts';
import { useVectors } from './work/use-vectors.ts';

const methods = [
  { value: 'pca', label: 'PCA' },
  { value: 'umap', label: 'UMAP' },
] as const;

interface MapViewProps {
  mediaId: string;
  rows: number;
  names: readonly string[];
  onNeighbors: (row: number) => void;
}

/** Uses a separate worker, because UMAP takes half a minute for thousands of vectors. */
export function MapView({ mediaId, rows, names, onNeighbors }: MapViewProps) {
  const method = useEmbeddingsViews((views) => views.mapMethod);
  return (
    <div className={styles.mapView}>
      <Segmented
        label="Projection"
        value={method}
        options={methods}
        onValueChange={(mapMethod) => useEmbeddingsViews.setState({ mapMethod })}
      />
      <ProjectedMap
        key={method}
        method={method}
        mediaId={mediaId}
        rows={rows}
        names={names}
        onNeighbors={onNeighbors}
      />
    </div>
  );
}

function ProjectedMap(props: MapViewProps & { method: 'pca' | 'umap' }) {
  const { method, mediaId, rows, names, onNeighbors } = props;
  const key = `${mediaId} ${method}`;
  const [known] = useState(() => projections.get(key) ?? null);
  const loaded = useVectors(known === null ? mediaId : null);
  const { output: computed, error } = useTask(
    loaded.vectors,
    'map',
    useMemo(() => ({ method }), [method]),
  );
  useEffect(() => {
    if (computed !== null) keepProjection(key, computed);
  }, [key, computed]);
  const output = known ?? computed;
  const problem = loaded.error ?? error;
  if (problem !== null) return <ErrorAlert error={problem} />;
  if (output === null) {
    const isLong = method === 'umap' && rows > 1000;
    return (
      <Spinner label={isLong ? 'Computing the map; this can take a minute' : 'Computing the map'} />
    );
  }
  return (
    <>
      <p className={classNames(styles.mapCaption, 'caption')}>
        {output.explained === null
          ? 'Near points are similar; distances between groups mean little.'
          : `Shows ${Math.round(100 * output.explained)}% of the variance.`}
      </p>
      <ColoredMap {...output} names={names} onNeighbors={onNeighbors} />
    </>
  );
}

interface PointMapProps extends Pick<Projection, 'points' | 'rows'> {
  /** The group of each point, from 0. */
  groups: readonly number[];
  groupNames: readonly string[];
  names: readonly string[];
  onNeighbors: (row: number) => void;
}

/** A column with more values has no colors that can be told apart. */
const MAX_GROUPS = 8;
const CLUSTERS = '';

/** Lets the user color the points by cluster or by a column of the file that they came from. */
function ColoredMap(
  props: Omit<PointMapProps, 'groups' | 'groupNames'> & Pick<Projection, 'clusters'>,
) {
  const { clusters, ...map } = props;
  const columns = useForm(embeddingsForm, ({ input }) => input.columns);
  const [chosen, setChosen] = useState(CLUSTERS);
  const texts = map.rows.map((row) => map.names[row] ?? '');
  const usable = [...new Set(texts.flatMap((text) => Object.keys(columns[text] ?? {})))].filter(
    (name) => {
      const { size } = new Set(texts.map((text) => columns[text]?.[name]));
      return size > 1 && size <= MAX_GROUPS;
    },
  );
  const column = usable.includes(chosen) ? chosen : CLUSTERS;
  const values = column === CLUSTERS ? [] : texts.map((text) => columns[text]?.[column] ?? '–');
  const groupNames =
    column === CLUSTERS
      ? countGroups(clusters).map((_, at) => `Cluster ${at + 1}`)
      : [...new Set(values)].toSorted();
  const groups = column === CLUSTERS ? clusters : values.map((value) => groupNames.indexOf(value));
  return (
    <>
      {usable.length > 0 && (
        <Select
          label="Color by"
          className={styles.colorBy}
          value={column}
          options={[
            { value: CLUSTERS, label: 'Cluster' },
            ...usable.map((value) => ({ value, label: value })),
          ]}
          onValueChange={setChosen}
        />
      )}
      <PointMap {...map} groups={groups} groupNames={groupNames} />
    </>
  );
}

const MAX_KEPT = 8;

/** The latest maps, so that a second visit computes nothing. */
const projections = new Map<string, Projection>();

function keepProjection(key: string, projection: Projection): void {
  projections.delete(key);
  projections.set(key, projection);
  for (const oldest of [...projections.keys()].slice(0, -MAX_KEPT)) projections.delete(oldest);
}

function PointMap(props: PointMapProps) {
  const { points, rows, groups, groupNames, names, onNeighbors } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const placed = useRef<readonly PlacedPoint[]>([]);
  const [chosen, setChosen] = useState<number | null>(null);

  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const draw = () => {
      placed.current = placePoints(element, points);
      drawMap(element, placed.current, { rows, names, groups, chosen });
    };
    draw();
    const sizes = new ResizeObserver(draw);
    sizes.observe(element);
    const unwatch = watchTheme(draw);
    return () => {
      sizes.disconnect();
      unwatch();
    };
  }, [points, rows, names, groups, chosen]);

  function point({ currentTarget, clientX, clientY }: PointerEvent): void {
    const { left, top } = currentTarget.getBoundingClientRect();
    const found = findPoint(placed.current, clientX - left, clientY - top);
    if (found !== null) setChosen(found);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const next = moveTo(placed.current, chosen, event.key);
    if (next === null) return;
    event.preventDefault();
    setChosen(next);
  }

  const row = chosen === null ? null : (rows[chosen] ?? null);
  const group = chosen === null ? '' : (groupNames[groups[chosen] ?? 0] ?? '');
  const sizes = countGroups(groups);
  return (
    <>
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Map of ${rows.length} inputs; arrow keys move from point to point`}
        tabIndex={0}
        className={styles.map}
        onPointerMove={point}
        onPointerDown={point}
        onKeyDown={onKeyDown}
      />
      {sizes.length > 1 && (
        <ul aria-label="Groups" className={styles.legend}>
          {sizes.map((size, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a cluster is its number.
            <li key={at} className="caption tabular">
              <span
                className={styles.swatch}
                style={{ background: groupColor(at) }}
                aria-hidden="true"
              />
              {groupNames[at]} · {pluralize(size, 'input')}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.chosen}>
        <p className="truncate" dir="auto" aria-live="polite">
          {row === null
            ? 'Point at the map to see an input.'
            : [row + 1, names[row] ?? '', ...(sizes.length > 1 ? [group] : [])].join(' · ')}
        </p>
        <Button
          size="small"
          disabled={row === null}
          onClick={() => row !== null && onNeighbors(row)}
        >
          Neighbors
        </Button>
      </div>
    </>
  );
}
