/** Maps each video field to the default format, `POST /v1/video/generations`. */
import type { FieldTable } from '../field-table.ts';
import { generationsImages } from './image-fields.ts';
import type { VideoRequest } from './request.ts';

export const generationsFields: FieldTable<VideoRequest> = {
  model: 'same',
  prompt: 'same',
  image: { step: generationsImages },
  last_frame: { step: generationsImages },
  images: { step: generationsImages },
  duration: 'same',
  width: 'same',
  height: 'same',
  fps: 'same',
  seed: 'same',
  n: 'same',
  response_format: 'same',
  remix_video_id: 'unsent',
  variants: 'unsent',
  metadata: 'same',
  user: 'same',
};
