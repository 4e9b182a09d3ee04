/** Every simulated model by the operation it answers, and the one a new user finds chosen: the first. */
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { languageModels } from './language/language-models.ts';
import { scoreByBm25 } from './media/bm25.ts';
import { scoreByLetterPairs } from './media/letter-pairs.ts';
import type { PictureStyle, SpeechLine } from './studio/worker/jobs.ts';

interface DemoModel {
  id: string;
  /** What it does, in a few words for the list of models. */
  description: string;
}

interface ImageModel extends DemoModel {
  style: PictureStyle;
  /** Before the reply. */
  delayMs: number;
}

export const imageModels: readonly ImageModel[] = [
  { id: 'demo-image', description: 'draws a landscape', style: 'painting', delayMs: 1200 },
  {
    id: 'demo-image-sketch',
    description: 'draws the same landscape in pencil, sooner',
    style: 'sketch',
    delayMs: 500,
  },
];

export const videoModels: readonly DemoModel[] = [
  { id: 'demo-video', description: 'renders a short video' },
];

interface RerankModel extends DemoModel {
  /** Named in the reply's `meta`. */
  method: string;
  /** One score a document, from 0 to 1. */
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

interface SpeechModel extends DemoModel {
  line: SpeechLine;
  /** Before the first byte. */
  delayMs: number;
  /** So many seconds of sound go out in each second. */
  timesRealTime: number;
}

export const speechModels: readonly SpeechModel[] = [
  {
    id: 'demo-speech',
    description: 'reads the text aloud',
    line: 'studio',
    delayMs: 200,
    timesRealTime: 4,
  },
  {
    id: 'demo-speech-phone',
    description: 'reads it as over a phone line, sooner and quieter',
    line: 'phone',
    delayMs: 50,
    timesRealTime: 12,
  },
];

interface TranscriptionModel extends DemoModel {
  /** Share of words that are wrong on purpose, 0 to 1; null for the model without simulated errors. */
  wrongShare: number | null;
  /** Before the reply. */
  delayMs: number;
}

const SLOWEST_TRANSCRIPT_MS = 600;

export const transcriptionModels: readonly TranscriptionModel[] = [
  {
    id: 'demo-transcribe',
    description: 'recognizes demo voices; returns a sample transcript for other audio',
    wrongShare: null,
    delayMs: SLOWEST_TRANSCRIPT_MS,
  },
  mishearing(5),
  mishearing(20),
];

/** `demo-transcribe-N`, also for an N from 0 to 100 that is not listed; undefined for another name. */
export function findTranscriptionModel(id: string): TranscriptionModel | undefined {
  const percent = /^demo-transcribe-(0|[1-9]\d?|100)$/.exec(id)?.[1];
  if (percent !== undefined) return mishearing(Number(percent));
  return transcriptionModels.find((model) => model.id === id);
}

/** The more mistakes, the sooner it answers. */
function mishearing(percent: number): TranscriptionModel {
  return {
    id: `demo-transcribe-${percent}`,
    description: `simulates errors in ${percent}% of words; any number from 0 to 100 works`,
    wrongShare: percent / 100,
    delayMs: Math.max(100, SLOWEST_TRANSCRIPT_MS - percent * 20),
  };
}

const described = (models: readonly DemoModel[]): DemoModel[] =>
  models.map(({ id, description }) => ({ id, description }));

export const demoModels: Record<OperationName, readonly DemoModel[]> = {
  chat: described(languageModels),
  completion: described(languageModels),
  image: described(imageModels),
  video: described(videoModels),
  rerank: described(rerankModels),
  speech: described(speechModels),
  transcription: described(transcriptionModels),
  console: [],
};
