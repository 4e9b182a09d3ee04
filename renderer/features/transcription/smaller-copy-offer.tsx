import type { Media } from '../../../shared/media.ts';
import { formatBytes } from '../../lib/format-quantity.ts';
import { getMediaTitle } from '../../media/players/describe-media.ts';
import { getOriginal } from '../../media/uploads/originals.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Progress } from '../../ui/progress.tsx';
import { MAX_UPLOAD_BYTES, planCopy } from './plan-copy.ts';
import { acceptLarge, cancelCopy, makeSmallerCopy, useCopies } from './smaller-copy.ts';
import styles from './transcription.module.css';
import { replaceAudio, transcriptionForm } from './transcription-store.ts';

/** The name that `showField` uses to find the choice. */
export const sizeField = 'audio-size';

interface SmallerCopyOfferProps {
  media: Media;
  /** True if the gateway refused the file as too large. */
  isRefused?: boolean;
}

/** Offers a smaller copy of a file that is too large for the gateway. */
export function SmallerCopyOffer({ media, isRefused = false }: SmallerCopyOfferProps) {
  const job = useCopies((state) => state.jobs[media.id]);
  const plan = planCopy(media);
  const size = formatBytes(media.sizeBytes);
  if (isRefused && plan === null) return null;
  const reason = isRefused
    ? `The gateway refused this file: ${size}.`
    : `This file is ${size}. Most gateways refuse more than ${formatBytes(MAX_UPLOAD_BYTES)}.`;
  const copySize = plan?.sizeBytes == null ? '' : `, about ${formatBytes(plan.sizeBytes)}`;

  function make(): void {
    if (plan === null) return;
    void makeSmallerCopy(media, plan, ({ id }) => {
      // The user may have chosen another file in the meantime.
      const { mediaId } = transcriptionForm.state.getState().values.input;
      if (mediaId === media.id) replaceAudio(id);
    });
  }

  const isBusy = job !== undefined && job.error === null;
  return (
    <section
      aria-label="File size"
      className={classNames(styles.offer, 'stack-8 fixed')}
      data-field={sizeField}
    >
      <p>
        {reason}
        {plan !== null && ` A copy for speech (mono, 16 kHz, MP3${copySize}) keeps the words.`}
      </p>
      {job?.error != null && <ErrorAlert compact error={job.error} />}
      <div className="wrap-8">
        {plan !== null && (
          // Use one button for both actions, so that it keeps focus.
          <Button
            size="small"
            variant={isBusy ? 'secondary' : 'primary'}
            onClick={isBusy ? () => cancelCopy(media.id) : make}
          >
            {isBusy ? 'Cancel' : 'Make a smaller copy'}
          </Button>
        )}
        {!isRefused && !isBusy && (
          <Button size="small" onClick={() => acceptLarge(media.id)}>
            Send the original
          </Button>
        )}
        {isBusy && (
          <>
            <Progress
              className={styles.copyProgress}
              label="Making a smaller copy"
              value={job.progress}
              max={1}
            />
            <span className="caption tabular">{Math.round(job.progress * 100)}%</span>
          </>
        )}
      </div>
    </section>
  );
}

/** Shows that a smaller copy is sent, and offers the original. */
export function CopyNote({ media }: { media: Media }) {
  const original = getOriginal(media);
  if (original === null) return null;
  return (
    <p className={classNames(styles.copyNote, 'wrap-8 caption')}>
      <span>
        Sending a smaller copy: {formatBytes(media.sizeBytes)}. The original, “
        {getMediaTitle(original)}” ({formatBytes(original.sizeBytes)}), stays in the library.
      </span>
      <Button size="small" variant="quiet" onClick={() => replaceAudio(original.id)}>
        Use original
      </Button>
    </p>
  );
}
