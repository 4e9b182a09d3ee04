/** Every simulated model by the operation it answers, and the one a new user finds chosen: the first. */
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { languageModels } from './language/language-models.ts';

interface DemoModel {
  id: string;
  /** What it does, in a few words for the list of models. */
  description: string;
}

export const imageModels = ['demo-image'];
export const videoModels = ['demo-video'];
export const rerankModels = ['demo-rerank'];
export const speechModels = ['demo-speech'];
export const transcriptionModels = ['demo-transcribe'];

const described = (ids: readonly string[], description: string): DemoModel[] =>
  ids.map((id) => ({ id, description }));

const textModels = languageModels.map(({ id, description }) => ({ id, description }));

export const demoModels: Record<OperationName, readonly DemoModel[]> = {
  chat: textModels,
  completion: textModels,
  image: described(imageModels, 'draws a landscape'),
  video: described(videoModels, 'renders a short video'),
  rerank: described(rerankModels, 'ranks by shared words (BM25)'),
  speech: described(speechModels, 'reads the text aloud'),
  transcription: described(transcriptionModels, 'returns a sample transcript'),
  console: [],
};
