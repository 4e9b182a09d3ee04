import type { Media } from '../../../shared/media.ts';
import { WarningIcon } from '../../ui/icons/status.tsx';
import { imageFacts } from './image-facts.ts';
import type { RequestedImage } from './requested-image.ts';
import styles from './result.module.css';

export interface ImageFactTableProps {
  media: Media;
  requested: Pick<RequestedImage, 'aspectRatio' | 'imageSize'>;
}

/** Requested beside received values, with differences marked. */
export function ImageFactTable({ media, requested }: ImageFactTableProps) {
  return (
    <table aria-label="Requested and received" className={styles.facts}>
      <thead>
        <tr>
          <td />
          <th scope="col">Requested</th>
          <th scope="col">Received</th>
        </tr>
      </thead>
      <tbody>
        {imageFacts(requested, media).map(({ name, requested: asked, received, differs }) => (
          <tr key={name} data-differs={differs || undefined}>
            <th scope="row">{name}</th>
            <td>{asked ?? '–'}</td>
            <td>
              {received ?? '–'}
              {differs && (
                <>
                  {' '}
                  <WarningIcon size={12} />
                  <span className="visually-hidden">differs</span>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
