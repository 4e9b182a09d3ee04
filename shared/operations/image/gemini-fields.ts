/** Maps each image field to the default format, Gemini's `generateContent`. */
import type { FieldTable } from '../field-table.ts';
import type { ImageRequest } from './request.ts';

export const geminiFields: FieldTable<ImageRequest> = {
  model: 'path',
  contents: 'same',
  generationConfig: 'same',
  n: 'unsent',
  size: 'unsent',
  quality: 'unsent',
  style: 'unsent',
  background: 'unsent',
  image_field: 'unsent',
  input_fidelity: 'unsent',
  moderation: 'unsent',
  output_format: 'unsent',
  output_compression: 'unsent',
  response_format: 'unsent',
  stream: 'unsent',
  partial_images: 'unsent',
  mask: 'unsent',
};
