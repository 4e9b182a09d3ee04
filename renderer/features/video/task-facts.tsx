import type { JsonObject } from '../../../shared/json.ts';
import type { VideoState } from '../../../shared/operations/video/state.ts';
import { MediaFacts } from '../../media/players/media-facts.tsx';
import { classNames } from '../../ui/class-names.ts';
import { compareFacts, otherMetadata } from './compare-facts.ts';
import styles from './task.module.css';

/** What was asked, what the gateway says came, and what was measured. */
export function TaskFacts({ state, asked }: { state: VideoState; asked: JsonObject }) {
  const media = state.media.findLast(({ complete }) => complete) ?? null;
  const video = media?.kind === 'video' ? media : null;
  const facts = compareFacts(asked, state, video);
  const others = otherMetadata(state.metadata);
  return (
    <>
      {media !== null && <MediaFacts media={media} />}
      {facts.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Video</th>
              <th scope="col">Asked</th>
              <th scope="col">Gateway says</th>
              <th scope="col">Measured</th>
            </tr>
          </thead>
          <tbody>
            {facts.map(({ name, asked: wanted, told, measured, differs }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{wanted ?? '–'}</td>
                <td>{told ?? '–'}</td>
                <td className={classNames(differs && styles.differs)}>
                  {measured ?? '–'}
                  {differs && <span className="visually-hidden"> (not as asked)</span>}
                </td>
              </tr>
            ))}
            {others.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>–</td>
                <td>{value}</td>
                <td>–</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
