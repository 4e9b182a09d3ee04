import { useState } from 'react';
import type { AppError, FieldError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import { findFieldMessage } from '../../lib/field-errors.ts';
import { RecorderControls } from '../../media/capture/recorder-controls.tsx';
import { LibraryButton } from '../../media/library/library-button.tsx';
import { audio, checkMedia } from '../../media/uploads/media-filter.ts';
import { AttachButton, DropZone, UploadList } from '../../media/uploads/upload-controls.tsx';
import { useUploads } from '../../media/uploads/use-uploads.ts';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import styles from './transcription.module.css';

/** The name that `showField` uses to find the audio. */
export const audioField = 'file';

interface AudioSourceProps {
  isEmpty: boolean;
  errors: readonly FieldError[];
  onAudio: (media: Media) => void;
}

export function AudioSource({ isEmpty, errors, onAudio }: AudioSourceProps) {
  const uploads = useUploads({
    place: 'transcription',
    filter: audio,
    onMedia: onAudio,
    single: true,
  });
  const [unfit, setUnfit] = useState<AppError | null>(null);
  const error = findFieldMessage(errors, 'file');

  /** The library also lists videos that have no audio track. */
  function pick(media: Media): void {
    const problem = checkMedia(media, audio);
    setUnfit(problem);
    if (problem === null) onAudio(media);
  }

  return (
    <DropZone
      uploads={uploads}
      label="Drop an audio or video file"
      className={classNames(styles.source, isEmpty && styles.emptySource)}
    >
      <div className="wrap-8" data-field={audioField}>
        <RecorderControls panel="transcription" onRecorded={onAudio} />
        <AttachButton uploads={uploads} filter={audio} label="Choose audio" multiple={false} />
        <LibraryButton kinds={audio.kinds} title="Choose audio" onPick={pick} />
        <span className="caption">or drop audio or video here</span>
      </div>
      <UploadList uploads={uploads} />
      {unfit !== null && <ErrorAlert compact error={unfit} onDismiss={() => setUnfit(null)} />}
      {error !== null && <p className={styles.error}>{error}</p>}
    </DropZone>
  );
}
