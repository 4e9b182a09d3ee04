import { useId, useMemo } from 'react';
import { formatCountOf } from '../../../lib/format-quantity.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { findCommonStart } from './common-start.ts';
import styles from './text-diff.module.css';

interface SharedStartProps {
  texts: readonly { id: string; name: string; text: string }[];
}

/** Several texts that begin alike: the start once, and what each of them goes on with. */
export function SharedStart({ texts }: SharedStartProps) {
  const { shared, rests } = useMemo(() => findCommonStart(texts.map(({ text }) => text)), [texts]);
  return (
    <section aria-label="Continuations from the shared start" className={styles.diff}>
      <p className={styles.summary}>
        {shared.trim() === ''
          ? 'The texts differ from the first word.'
          : rests.every((rest) => rest === '')
            ? 'The texts are identical.'
            : `Shared start: ${formatCountOf(countWords(shared), 'word')}`}
      </p>
      {shared.trim() !== '' && <p className={styles.shared}>{shared.replace(/^\s+/, '')}</p>}
      <div className={styles.rests}>
        {texts.map(({ id, name, text }, at) => (
          <Rest key={id} name={name} text={text} rest={rests[at] ?? ''} />
        ))}
      </div>
    </section>
  );
}

interface RestProps {
  name: string;
  /** All of it. */
  text: string;
  rest: string;
}

function Rest({ name, text, rest }: RestProps) {
  const headingId = useId();
  return (
    <article className={styles.rest} aria-labelledby={headingId}>
      <div className={styles.restHead}>
        <h3 id={headingId} className={styles.name}>
          {name}
        </h3>
        <CopyButton label={`Copy the whole text of ${name}`} content={() => text} />
      </div>
      {rest.trim() === '' ? (
        <p className={styles.kind}>Nothing beyond the shared start</p>
      ) : (
        <p className={styles.line}>{rest.replace(/^\s+/, '')}</p>
      )}
    </article>
  );
}

function countWords(text: string): number {
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
}
