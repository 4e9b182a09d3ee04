/** The simulated models for each operation; a new user starts with the first one. */
import { type Modality, type ModelFacts, noFacts, toRates } from '../../shared/model-facts.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { languageModels } from './language/language-models.ts';
import { type EmbedText, embedLetterPairs, embedWords } from './media/embedding-vectors.ts';
import { scoreByBm25, scoreByLetterPairs } from './media/rerank-scores.ts';
import type { ImageStyle, SpeechLine } from './studio/studio.ts';

interface DemoModel {
  id: string;
  description: string;
}

interface DescribedModel extends DemoModel {
  facts: ModelFacts;
}

interface ImageModel extends DemoModel {
  style: ImageStyle;
  delayMs: number;
}

export const imageModels: readonly ImageModel[] = [
  { id: 'demo-image', description: 'draws a landscape', style: 'painting', delayMs: 1200 },
  {
    id: 'demo-image-sketch',
    description: 'draws the same landscape as a pencil sketch, faster',
    style: 'sketch',
    delayMs: 500,
  },
];

export const videoModels: readonly DemoModel[] = [
  { id: 'demo-video', description: 'renders a short video' },
];

interface RerankModel extends DemoModel {
  method: string;
  score: (query: string, documents: readonly string[]) => number[];
}

export const rerankModels: readonly RerankModel[] = [
  {
    id: 'demo-rerank',
    description: 'ranks by shared words (BM25)',
    method: 'bm25',
    score: (query, documents) => scoreByBm25(query, documents).map((score) => score / (score + 1)),
  },
  {
    id: 'demo-rerank-pairs',
    description: 'ranks by shared letter pairs (cosine)',
    method: 'letter-pair-cosine',
    score: scoreByLetterPairs,
  },
];

interface EmbeddingModel extends DemoModel {
  dimensions: number;
  embed: EmbedText;
}

export const embeddingModels: readonly EmbeddingModel[] = [
  {
    id: 'demo-embed',
    description: 'puts texts with the same words near each other; takes images',
    dimensions: 384,
    embed: embedWords,
  },
  {
    id: 'demo-embed-pairs',
    description: 'puts texts with the same letter pairs near each other; takes images',
    dimensions: 256,
    embed: embedLetterPairs,
  },
];

interface SpeechModel extends DemoModel {
  line: SpeechLine;
  delayMs: number;
  timesRealTime: number;
}

export const speechModels: readonly SpeechModel[] = [
  {
    id: 'demo-speech',
    description: 'reads your text aloud',
    line: 'studio',
    delayMs: 200,
    timesRealTime: 4,
  },
  {
    id: 'demo-speech-phone',
    description: 'phone-quality voice, faster and quieter',
    line: 'phone',
    delayMs: 50,
    timesRealTime: 12,
  },
];

interface TranscriptionModel extends DemoModel {
  errorRate: number | null;
  delayMs: number;
}

const SLOWEST_TRANSCRIPT_MS = 600;

export const transcriptionModels: readonly TranscriptionModel[] = [
  {
    id: 'demo-transcribe',
    description: 'transcribes demo voices; returns sample text for other audio',
    errorRate: null,
    delayMs: SLOWEST_TRANSCRIPT_MS,
  },
  withErrors(5),
  withErrors(20),
];

/** Accepts `demo-transcribe-N` for any N from 0 to 100. */
export function findTranscriptionModel(id: string): TranscriptionModel | undefined {
  const percent = /^demo-transcribe-(0|[1-9]\d?|100)$/.exec(id)?.[1];
  if (percent !== undefined) return withErrors(Number(percent));
  return transcriptionModels.find((model) => model.id === id);
}

function withErrors(percent: number): TranscriptionModel {
  return {
    id: `demo-transcribe-${percent}`,
    description: `gets ${percent}% of words wrong; any number from 0 to 100 works in the ID`,
    errorRate: percent / 100,
    delayMs: Math.max(100, SLOWEST_TRANSCRIPT_MS - percent * 20),
  };
}

/** The demo charges nothing and accepts any length; the limits are those of a typical model. */
function addFacts(
  models: readonly DemoModel[],
  getFacts: (id: string) => Partial<ModelFacts>,
): DescribedModel[] {
  return models.map(({ id, description }) => ({
    id,
    description,
    facts: { ...noFacts, rates: freeRates, ...getFacts(id) },
  }));
}

const freeRates = toRates({ inputPerMillionTokens: 0, outputPerMillionTokens: 0 });
const text: Modality[] = ['text'];

const describedLanguageModels = addFacts(languageModels, (id) => {
  const model = languageModels.find((one) => one.id === id);
  return {
    contextTokens: 131_072,
    outputTokens: 32_768,
    inputs: model?.looksAtMedia ? ['text', 'image', 'audio', 'file'] : text,
    outputs: text,
    tools: true,
    reasoning: id === 'demo-think' || model?.signs === true,
  };
});

export const demoModels: Record<OperationName, readonly DescribedModel[]> = {
  chat: describedLanguageModels,
  completion: describedLanguageModels,
  image: addFacts(imageModels, () => ({ inputs: ['text', 'image'], outputs: ['text', 'image'] })),
  video: addFacts(videoModels, () => ({ inputs: ['text', 'image'], outputs: ['video'] })),
  rerank: addFacts(rerankModels, () => ({ inputs: text })),
  embeddings: addFacts(embeddingModels, () => ({ inputs: ['text', 'image'] })),
  speech: addFacts(speechModels, () => ({ inputs: text, outputs: ['audio'] })),
  transcription: addFacts(transcriptionModels, () => ({ inputs: ['audio'], outputs: text })),
  console: [],
};

export function findDemoFacts(id: string): ModelFacts | null {
  const models = Object.values(demoModels).flat();
  return models.find((model) => model.id === id)?.facts ?? null;
}
