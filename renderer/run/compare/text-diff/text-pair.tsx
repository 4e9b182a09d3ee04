import { useState } from 'react';
import { Select } from '../../../ui/select.tsx';
import { TextDiff } from './text-diff.tsx';
import styles from './text-pair.module.css';

interface NamedText {
  id: string;
  /** No two the same. */
  name: string;
  text: string;
}

interface TextPairProps {
  texts: readonly NamedText[];
  /** What is shown until others are chosen. */
  first: NamedText;
  second: NamedText;
  labels: readonly [first: string, second: string];
}

/** Any two of several texts, and what differs between them. */
export function TextPair({ texts, labels, ...usual }: TextPairProps) {
  const [chosen, setChosen] = useState<readonly [first?: string, second?: string]>([]);
  const first = texts.find(({ id }) => id === chosen[0]) ?? usual.first;
  const second = texts.find(({ id }) => id === chosen[1]) ?? usual.second;
  const options = texts.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className={styles.pair}>
      <div className={styles.chosen}>
        <Select
          label={labels[0]}
          value={first.id}
          options={options}
          onValueChange={(id) => setChosen([id, second.id])}
        />
        <Select
          label={labels[1]}
          value={second.id}
          options={options}
          onValueChange={(id) => setChosen([first.id, id])}
        />
      </div>
      <TextDiff first={first} second={second} />
    </div>
  );
}
