/** Every simulated model by the operation it answers, and the one a new user finds chosen. */
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { languageModels } from './language/language-models.ts';

const languageModelIds = languageModels.map(({ id }) => id);
export const imageModels = ['demo-image'];
export const videoModels = ['demo-video'];
export const rerankModels = ['demo-rerank'];
export const speechModels = ['demo-speech'];
export const transcriptionModels = ['demo-transcribe'];

export const demoModels: Record<OperationName, { models: string[]; preselected: string }> = {
  chat: { models: languageModelIds, preselected: 'demo-story' },
  completion: { models: languageModelIds, preselected: 'demo-story' },
  image: { models: imageModels, preselected: 'demo-image' },
  video: { models: videoModels, preselected: 'demo-video' },
  rerank: { models: rerankModels, preselected: 'demo-rerank' },
  speech: { models: speechModels, preselected: 'demo-speech' },
  transcription: { models: transcriptionModels, preselected: 'demo-transcribe' },
  console: { models: [], preselected: '' },
};
