import { useMemo } from 'react';
import { emptyReply } from '../../../shared/operations/reply/describe-reply.ts';
import { replyOf } from '../../../shared/run-view.ts';
import { mediaTitle } from '../../media/players/describe-media.ts';
import { MediaView } from '../../media/players/media-view.tsx';
import { useAnyRun } from '../../run/live/live-runs.ts';
import styles from './run-record.module.css';

const longest = 4000;

/** The start of what came back, and its media. */
export function ReplyExcerpt({ runId }: { runId: string }) {
  const view = useAnyRun(runId);
  const { text, media } = useMemo(() => (view === null ? emptyReply : replyOf(view)), [view]);
  if (text === '' && media.length === 0) return null;
  return (
    <section className={styles.section} aria-label="Reply">
      <h3 className={styles.sectionTitle}>Reply</h3>
      {media.map((medium) => (
        <MediaView key={medium.id} media={medium} title={mediaTitle(medium)} />
      ))}
      {text !== '' && (
        <p className={styles.reply}>
          {text.length > longest ? `${text.slice(0, longest)}… (open it for the rest)` : text}
        </p>
      )}
    </section>
  );
}
