import { useState } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Select } from '../../../ui/select.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { useJsonDiff, useWordDiff } from '../work/use-computed.ts';
import { JsonDifferences } from './json-differences.tsx';
import styles from './text-diff.module.css';
import { WordDifferences } from './word-differences.tsx';

export interface NamedText {
  name: string;
  text: string;
}

interface TextDiffProps {
  first: NamedText;
  second: NamedText;
  subject?: string;
}

interface DiffView {
  layout: 'side-by-side' | 'inline';
  /** Has an effect only if both texts are JSON. */
  unit: 'json' | 'words';
}

export const useDiffView = create<DiffView>()(
  persist((): DiffView => ({ layout: 'side-by-side', unit: 'json' }), {
    name: 'gatehouse:diff-view',
  }),
);

/** Compares by field if both texts are JSON, and otherwise by word. */
export function TextDiff({ first, second, subject }: TextDiffProps) {
  const { layout, unit } = useDiffView();
  const json = useJsonDiff(first.text, second.text);
  const isJson = json.output !== null;
  const changes = unit === 'json' ? json.output : null;
  const words = useWordDiff(first.text, second.text, changes === null && !json.pending);
  const { error, retry } = json.error !== null ? json : words;
  if (error !== null) return <ErrorAlert error={error} onRetry={retry} />;

  const shared = {
    names: [first.name, second.name] as const,
    subject,
    layout,
    switches: <Switches isJson={isJson} />,
  };
  if (changes !== null) {
    return <JsonDifferences {...shared} changes={changes} pending={json.pending} />;
  }
  if (words.output === null) {
    return (
      <p className={styles.waiting} role="status">
        <Spinner /> Comparing texts…
      </p>
    );
  }
  return (
    <WordDifferences
      {...shared}
      diff={words.output}
      isSameText={first.text === second.text}
      pending={words.pending || json.pending}
    />
  );
}

function Switches({ isJson }: { isJson: boolean }) {
  const { layout, unit } = useDiffView();
  return (
    <>
      {isJson && (
        <Segmented
          label="Compare as"
          value={unit}
          options={[
            { value: 'json', label: 'JSON' },
            { value: 'words', label: 'Words' },
          ]}
          onValueChange={(value) => useDiffView.setState({ unit: value })}
        />
      )}
      <Segmented
        label="Layout"
        value={layout}
        options={[
          { value: 'side-by-side', label: 'Side by side' },
          { value: 'inline', label: 'Inline' },
        ]}
        onValueChange={(value) => useDiffView.setState({ layout: value })}
      />
    </>
  );
}

interface ChoosableText extends NamedText {
  id: string;
}

interface TextPairProps {
  texts: readonly ChoosableText[];
  /** Shown until the user chooses another text. */
  first: ChoosableText;
  second: ChoosableText;
  labels: readonly [first: string, second: string];
}

export function TextPair({ texts, labels, ...rest }: TextPairProps) {
  const [chosen, setChosen] = useState<readonly [first?: string, second?: string]>([]);
  const first = texts.find(({ id }) => id === chosen[0]) ?? rest.first;
  const second = texts.find(({ id }) => id === chosen[1]) ?? rest.second;
  const options = texts.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className={styles.twoTexts}>
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
