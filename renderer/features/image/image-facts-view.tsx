import { Fragment } from 'react';
import type { Media } from '../../../shared/media.ts';
import { ComparedFacts } from '../../media/players/media-details.tsx';
import { WarningIcon } from '../../ui/icons/status.tsx';
import type { RequestedImage } from './image-facts.ts';
import { listImageFacts } from './image-facts.ts';
import styles from './result.module.css';

export function ImageFactLines({ media, requested: fields }: ImageFactTableProps) {
  const facts = listImageFacts(fields, media);
  const requested = facts.flatMap((fact) => fact.requested ?? []);
  const received = facts.flatMap((fact) => (fact.received === null ? [] : fact.received));
  const different = new Set(facts.flatMap((fact) => (fact.differs ? fact.received : [])));
  return (
    <dl className={styles.factLines}>
      {requested.length > 0 && (
        <div>
          <dt>Requested</dt>
          <dd>
            <FactLine facts={requested} />
          </dd>
        </div>
      )}
      <div>
        <dt className={requested.length === 0 ? 'visually-hidden' : undefined}>Received</dt>
        <dd>
          <FactLine facts={received} different={different} />
        </dd>
      </div>
    </dl>
  );
}

interface FactLineProps {
  facts: readonly string[];
  different?: ReadonlySet<string | null>;
}

/** Separates the facts with dots; lines wrap only after a dot. */
function FactLine({ facts, different }: FactLineProps) {
  return facts.map((fact, at) => (
    <Fragment key={fact}>
      {at > 0 && ' '}
      <span className={styles.fact}>
        {different?.has(fact) ? (
          <span className={styles.differs}>
            {fact} <WarningIcon size={12} />
            <span className="visually-hidden">differs</span>
          </span>
        ) : (
          fact
        )}
        {at < facts.length - 1 && ' ·'}
      </span>
    </Fragment>
  ));
}

export interface ImageFactTableProps {
  media: Media;
  requested: Pick<RequestedImage, 'aspectRatio' | 'imageSize'>;
}

export function ImageFactTable({ media, requested }: ImageFactTableProps) {
  return (
    <ComparedFacts
      label="Requested and received"
      columns={['', 'Requested', 'Received']}
      facts={listImageFacts(requested, media).map(({ name, differs, ...fact }) => ({
        name,
        values: [fact.requested, fact.received],
        differs,
      }))}
    />
  );
}
