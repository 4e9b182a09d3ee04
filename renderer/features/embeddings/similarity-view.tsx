import { useMemo, useState } from 'react';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import styles from './embeddings.module.css';
import { useEmbeddingsViews } from './embeddings-form.ts';
import { HeatMap } from './heat-map.tsx';
import { measures, type ShownMatrix } from './measures.ts';
import { SimilarityTable } from './similarity-table.tsx';
import { useTask } from './work/use-task.ts';
import type { VectorSet } from './work/use-vectors.ts';

const orders = [
  { value: 'sent', label: 'As sent' },
  { value: 'similar', label: 'Similar together' },
] as const;

const shapes = [
  { value: 'heat-map', label: 'Heat map' },
  { value: 'table', label: 'Table' },
] as const;

interface SimilarityViewProps {
  vectors: VectorSet;
  names: readonly string[];
}

export function SimilarityView({ vectors, names }: SimilarityViewProps) {
  const measure = useEmbeddingsViews((views) => views.measure);
  const shape = useEmbeddingsViews((views) => views.matrixShape);
  const [order, setOrder] = useState<(typeof orders)[number]['value']>('sent');
  const { output, error } = useTask(
    vectors,
    'matrix',
    useMemo(() => ({ measure }), [measure]),
  );
  const shown = useMemo((): ShownMatrix | null => {
    if (output === null) return null;
    const sent = output.rows.map((_, at) => at);
    return { matrix: output, order: order === 'sent' ? sent : output.similarOrder, names };
  }, [output, order, names]);
  return (
    <>
      <div className={styles.bar}>
        <Segmented
          label="Measure"
          value={measure}
          options={measures}
          onValueChange={(measure) => useEmbeddingsViews.setState({ measure })}
        />
        <Segmented
          label="Matrix view"
          value={shape}
          options={shapes}
          onValueChange={(matrixShape) => useEmbeddingsViews.setState({ matrixShape })}
        />
        <Select label="Order" hideLabel value={order} options={orders} onValueChange={setOrder} />
      </div>
      {error !== null && <ErrorAlert error={error} />}
      {error === null && shown === null && <Spinner label="Computing similarities" />}
      {output !== null && output.rows.length < vectors.rows && (
        <p className="caption">
          Shows {output.rows.length} of {vectors.rows} inputs.
        </p>
      )}
      {shown !== null &&
        (shape === 'table' ? <SimilarityTable {...shown} /> : <HeatMap {...shown} />)}
    </>
  );
}
