/** Renders ranked lists of one query. */
import { useState } from 'react';
import { page } from 'vitest/browser';
import type { RankedList } from '../../renderer/run/compare/ranked/rank-lines.ts';
import { RankedLists } from '../../renderer/run/compare/ranked/ranked-lists.tsx';
import type { LabelsByIndex } from '../../renderer/run/compare/ranked/relevance-labels.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

export const createList = (name: string, ...indexes: number[]): RankedList => ({
  id: name,
  name,
  results: indexes.map((index, place) => ({
    index,
    score: 1 - place / 10,
    text: `Text of ${index}`,
  })),
});

const lists = [
  createList('bm25', 0, 1, 2, 3),
  createList('pairs', 3, 1, 0),
  createList('other', 3, 2, 1, 0),
];

export function RankedPage({
  given = lists,
  first = {},
}: {
  given?: readonly RankedList[];
  first?: LabelsByIndex;
}) {
  const [labels, setLabels] = useState(first);
  return (
    <RankedLists
      lists={given}
      labels={labels}
      documentCount={1000}
      onLabel={(index, label) =>
        setLabels((before) => {
          const { [index]: _old, ...others } = before;
          return label === null ? others : { ...others, [index]: label };
        })
      }
      onImport={setLabels}
    />
  );
}

export const inList = (name: string) => page.getByRole('list', { name, exact: true });
