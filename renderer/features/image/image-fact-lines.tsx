import { Fragment } from 'react';
import { WarningIcon } from '../../ui/icons/status.tsx';
import type { ImageFactTableProps } from './image-fact-table.tsx';
import { imageFacts } from './image-facts.ts';
import styles from './result.module.css';

/** What was requested and what was received, a line each, for under a picture among others. */
export function ImageFactLines({ media, requested: fields }: ImageFactTableProps) {
  const facts = imageFacts(fields, media);
  const requested = facts.flatMap((fact) => fact.requested ?? []);
  return (
    <dl className={styles.factLines}>
      {requested.length > 0 && (
        <div>
          <dt>Requested</dt>
          <dd>{requested.join(' · ')}</dd>
        </div>
      )}
      <div>
        <dt>Received</dt>
        <dd>
          {facts
            .filter(({ received }) => received !== null)
            .map(({ name, received, differs }, at) => (
              <Fragment key={name}>
                {at > 0 && ' · '}
                {differs ? (
                  <span className={styles.differs}>
                    {received} <WarningIcon size={12} />
                    <span className="visually-hidden">differs</span>
                  </span>
                ) : (
                  received
                )}
              </Fragment>
            ))}
        </dd>
      </div>
    </dl>
  );
}
