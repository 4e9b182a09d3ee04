/** What a file's content shows; null if it does not apply or could not be measured. */
import type { Media } from '../../shared/media.ts';

export type Measurement = Pick<
  Media,
  'width' | 'height' | 'durationSeconds' | 'sampleRate' | 'channels' | 'frameRate'
> &
  /** `kind` and `type` where a container turns out to hold something else than its first bytes say. */
  Partial<Pick<Media, 'kind' | 'type' | 'isCut'>>;

export const unmeasured: Measurement = {
  width: null,
  height: null,
  durationSeconds: null,
  sampleRate: null,
  channels: null,
  frameRate: null,
};
