import type { AppError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { WarningIcon } from '../../ui/icons/status.tsx';
import { formatName, getFacts, listDifferences, type RequestedMedia } from './describe-media.ts';
import styles from './media-details.module.css';
import { useIsDeleted } from './use-media.ts';

export interface MediaFactsProps {
  media: Media;
  /** Requested values, shown where the result differs. */
  requested?: RequestedMedia;
}

export function MediaFacts({ media, requested }: MediaFactsProps) {
  const otherwise = requested === undefined ? [] : listDifferences(media, requested);
  return (
    <p className={styles.facts}>
      <span className="tabular">{getFacts(media).join(' · ')}</span>
      {otherwise.length > 0 && (
        <span className={styles.warning}>
          <WarningIcon size={14} />
          requested {otherwise.join(', ')}
        </span>
      )}
    </p>
  );
}

interface ComparedFactsProps {
  label: string;
  /** The first column has the names; its title may be empty. */
  columns: readonly string[];
  facts: readonly { name: string; values: readonly (string | null)[]; differs?: boolean }[];
}

/** Shows requested values next to received ones, and highlights differences. */
export function ComparedFacts({ label, columns, facts }: ComparedFactsProps) {
  return (
    <table aria-label={label} className={styles.compared}>
      <thead>
        <tr>
          {columns.map((column) =>
            column === '' ? (
              <td key={column} />
            ) : (
              <th key={column} scope="col">
                {column}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {facts.map(({ name, values, differs = false }) => (
          <tr key={name} data-differs={differs || undefined}>
            <th scope="row">{name}</th>
            {values.map((value, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never move.
              <td key={at}>
                {value ?? '–'}
                {differs && at === values.length - 1 && (
                  <>
                    {' '}
                    <WarningIcon size={12} />
                    <span className="visually-hidden">(differs from the request)</span>
                  </>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export interface MediaFailedProps {
  media: Media;
  what: 'audio' | 'video' | 'image';
}

/** Explains why media can't be shown, such as after it was deleted. */
export function MediaFailed({ media, what }: MediaFailedProps) {
  if (useIsDeleted(media, true)) {
    return <p className={styles.deleted}>This {what} was deleted from the library.</p>;
  }
  const verb = what === 'image' ? 'shown' : 'played';
  const error: AppError = {
    kind: 'file',
    message: `This ${what} (${formatName(media.type)}) can’t be ${verb}.`,
    nextStep: 'It may be damaged or unsupported. Download it to open it in another app.',
    gateway: null,
    detail: null,
  };
  return <ErrorAlert error={error} compact />;
}
