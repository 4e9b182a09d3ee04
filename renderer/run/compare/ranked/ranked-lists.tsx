import { useMemo, useState } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { pluralize } from '../../../lib/format-quantity.ts';
import { offerUndo } from '../../../lib/undo.ts';
import { saveBlob } from '../../../media/players/download-button.tsx';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { FileButton } from '../../../ui/file-button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TrashIcon } from '../../../ui/icons/actions.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Select } from '../../../ui/select.tsx';
import { UndoBars } from '../../../ui/undo-bars.tsx';
import { useTextFiles } from '../../form/use-text-files.ts';
import type { RelevanceLabel, RelevanceLabels } from '../metrics/rank-metrics.ts';
import type { RankedList } from './rank-lines.ts';
import { RankedColumns } from './ranked-columns.tsx';
import styles from './ranked-lists.module.css';
import { RankingFigures } from './ranking-figures.tsx';
import { formatLabelsCsv, type LabelsByIndex, readLabels } from './relevance-labels.ts';

interface RankedListsProps {
  lists: readonly RankedList[];
  labels: LabelsByIndex;
  documentCount: number;
  onLabel: (index: number, label: RelevanceLabel | null) => void;
  /** Importing labels replaces all existing ones. */
  onImport: (labels: LabelsByIndex) => void;
}

/** Counts only the first `k` results; the page remembers `k`. */
const useDepth = create<{ k: number }>()(
  persist((): { k: number } => ({ k: 10 }), { name: 'gatehouse:ranking-depth' }),
);

export function RankedLists(props: RankedListsProps) {
  const { lists, labels, documentCount, onLabel, onImport } = props;
  const k = useDepth((depth) => depth.k);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [activeIndex, setActiveIndex] = useState<number | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const base = lists.find(({ id }) => id === chosenId) ?? lists[0];
  const labelMap = useMemo(() => toMap(labels), [labels]);
  if (base === undefined) return null;

  function setLabel(index: number, label: RelevanceLabel | null): void {
    onLabel(index, label);
    setAnnouncement(
      label === null
        ? `Document ${index + 1}: label removed`
        : `Document ${index + 1} labeled ${label}`,
    );
  }

  return (
    <section
      aria-label={lists.length > 1 ? 'Ranking comparison' : 'Ranking quality'}
      className="stack-12"
    >
      <div className={styles.bar}>
        {lists.length > 1 && (
          <Select
            label="Compare with"
            value={base.id}
            options={lists.map(({ id, name }) => ({ value: id, label: name }))}
            onValueChange={setChosenId}
          />
        )}
        <DepthField k={k} />
        <LabelFiles labels={labels} documentCount={documentCount} onImport={onImport} />
      </div>
      <UndoBars place={undoKey} />
      <RankingFigures lists={lists} baseId={base.id} labels={labelMap} k={k} />
      <p className="caption">
        {labelMap.size === 0
          ? 'To measure quality, label documents from 0 (not relevant) to 3 (exact answer). Click, or press 0–3.'
          : `${pluralize(labelMap.size, 'document')} labeled. Documents without a label count as not relevant.`}
      </p>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <RankedColumns
        lists={lists}
        baseId={base.id}
        labels={labels}
        activeIndex={activeIndex}
        onActive={setActiveIndex}
        onLabel={setLabel}
      />
      <ActiveDocument lists={lists} index={activeIndex} />
    </section>
  );
}

const undoKey = 'relevance-labels';

function toMap(labels: LabelsByIndex): RelevanceLabels {
  return new Map(Object.entries(labels).map(([index, label]) => [Number(index), label]));
}

const MAX_DEPTH = 1000;

function isDepth(value: number | null): value is number {
  return value !== null && Number.isInteger(value) && value >= 1 && value <= MAX_DEPTH;
}

function DepthField({ k }: { k: number }) {
  const [typed, setTyped] = useState<number | null>(k);
  return (
    <NumberField
      label="k"
      className={styles.depth}
      value={typed}
      min={1}
      max={MAX_DEPTH}
      error={isDepth(typed) ? null : `1 to ${MAX_DEPTH}`}
      onValueChange={(value) => {
        setTyped(value);
        if (isDepth(value)) useDepth.setState({ k: value });
      }}
    />
  );
}

function LabelFiles({
  labels,
  documentCount,
  onImport,
}: Pick<RankedListsProps, 'labels' | 'documentCount' | 'onImport'>) {
  const isEmpty = Object.keys(labels).length === 0;

  const files = useTextFiles({ megabytes: 50 }, (name, content) => {
    const read = readLabels(name, content, documentCount);
    if (!read.ok) return read.message;
    replaceLabels(read.labels, 'Labels replaced');
    return null;
  });

  function replaceLabels(next: LabelsByIndex, message: string): void {
    onImport(next);
    if (!isEmpty) offerUndo({ message, place: undoKey, undo: () => onImport(labels) });
  }

  return (
    <>
      <div className={classNames(styles.files, 'row-4')}>
        <FileButton
          size="small"
          variant="quiet"
          inputLabel="Label file"
          accept=".json,.csv,.tsv,.txt"
          onFiles={files.add}
        >
          Import labels
        </FileButton>
        <Button
          size="small"
          variant="quiet"
          disabled={isEmpty}
          onClick={() => saveBlob(new Blob([formatLabelsCsv(labels)]), 'relevance-labels.csv')}
        >
          Export labels
        </Button>
        <IconButton
          size="small"
          label="Clear labels"
          icon={<TrashIcon size={14} />}
          disabled={isEmpty}
          onClick={() => {
            files.clearProblem();
            replaceLabels({}, 'Labels cleared');
          }}
        />
      </div>
      {files.problem !== null && (
        <ProblemNote className={styles.problem}>{files.problem}</ProblemNote>
      )}
    </>
  );
}

function ActiveDocument({
  lists,
  index,
}: Pick<RankedListsProps, 'lists'> & { index: number | null }) {
  if (index === null) return null;
  const ranks = lists.map(({ name, results }) => {
    const place = results.findIndex((result) => result.index === index);
    return place < 0 ? `not in ${name}` : `#${place + 1} in ${name}`;
  });
  const text = lists
    .flatMap(({ results }) => results)
    .find((result) => result.index === index && result.text !== null)?.text;
  return (
    <section className={styles.detail} aria-label={`Document ${index + 1}`}>
      <p className="caption">
        Document {index + 1} · {ranks.join(' · ')}
      </p>
      <p
        className={classNames(styles.detailText, 'verbatim')}
        dir="auto"
        data-scroller
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can't scroll it otherwise.
        tabIndex={0}
      >
        {text ?? 'The text of this document isn’t available.'}
      </p>
    </section>
  );
}
