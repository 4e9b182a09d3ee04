import type { Ref } from 'react';
import type { Media } from '../../../shared/media.ts';
import { AudioPlayer, type AudioPlayerHandle } from '../../media/players/audio-player.tsx';
import { getFacts, getMediaTitle } from '../../media/players/describe-media.ts';
import type { AudioRegion } from '../../media/players/waveform.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon } from '../../ui/icons/actions.tsx';
import styles from './transcription.module.css';

interface AudioCardProps {
  media: Media;
  ref?: Ref<AudioPlayerHandle>;
  regions?: readonly AudioRegion[];
  activeRegion?: number | null;
  onTimeUpdate?: (seconds: number) => void;
  compact?: boolean;
  onRemove?: (() => void) | undefined;
}

export function AudioCard({ media, onRemove, ...player }: AudioCardProps) {
  const name = getMediaTitle(media);
  return (
    <div className="stack-8 fixed">
      <div className="row-8">
        <span className={classNames(styles.audioName, 'truncate')} title={name}>
          {name}
        </span>
        <span className={classNames(styles.audioFacts, 'hint grow')}>
          {getFacts(media).join(' · ')}
        </span>
        {onRemove !== undefined && (
          <IconButton
            size="small"
            label={`Remove ${name}`}
            icon={<CloseIcon size={12} />}
            onClick={onRemove}
          />
        )}
      </div>
      <AudioPlayer media={media} title={name} playsOnFrom="transcription" {...player} />
    </div>
  );
}
