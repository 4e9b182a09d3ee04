import type { OperationName } from '../../../shared/operations/operation-name.ts';

const labels: Record<OperationName, string> = {
  chat: 'Chat',
  completion: 'Completion',
  image: 'Image',
  video: 'Video',
  rerank: 'Rerank',
  speech: 'Speech',
  transcription: 'Transcription',
  console: 'Console',
};

/** In the order of the nav rail. */
export const operationNames = Object.keys(labels) as OperationName[];

export function operationLabel(name: OperationName): string {
  return labels[name];
}
