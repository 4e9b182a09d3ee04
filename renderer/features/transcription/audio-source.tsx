import { useState } from 'react';
import type { FieldError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import { fieldMessage } from '../../lib/field-errors.ts';
import { RecorderControls } from '../../media/capture/recorder-controls.tsx';
import { AttachButton } from '../../media/uploads/attach-button.tsx';
import { DropZone } from '../../media/uploads/drop-zone.tsx';
import { audio } from '../../media/uploads/media-filter.ts';
import { MediaPicker } from '../../media/uploads/media-picker.tsx';
import { UploadList } from '../../media/uploads/upload-list.tsx';
import { useUploads } from '../../media/uploads/use-uploads.ts';
import { Button } from '../../ui/button.tsx';
import styles from './transcription.module.css';

interface AudioSourceProps {
  errors: readonly FieldError[];
  onAudio: (media: Media) => void;
}

/** Record, choose, drop, or take what Gatehouse has already. */
export function AudioSource({ errors, onAudio }: AudioSourceProps) {
  const uploads = useUploads({ filter: audio, onMedia: onAudio });
  const [picking, setPicking] = useState(false);
  const error = fieldMessage(errors, 'file');
  return (
    <DropZone uploads={uploads} label="Drop an audio file here" className={styles.source}>
      <div className={styles.sourceRow}>
        <RecorderControls panel="transcription" onRecorded={onAudio} />
      </div>
      <div className={styles.sourceRow}>
        <AttachButton uploads={uploads} filter={audio} label="Choose audio" multiple={false} />
        <Button variant="quiet" onClick={() => setPicking(true)}>
          From the media list
        </Button>
        <span className={styles.note}>or drop a file here</span>
      </div>
      <UploadList uploads={uploads} />
      {error !== null && <p className={styles.error}>{error}</p>}
      <MediaPicker
        open={picking}
        kind="audio"
        title="Audio in Gatehouse"
        onPick={(media) => {
          setPicking(false);
          onAudio(media);
        }}
        onClose={() => setPicking(false)}
      />
    </DropZone>
  );
}
