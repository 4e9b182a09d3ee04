import { createLoudnessMeter } from '../../../../shared/loudness.ts';
import { readJsonAnswer } from '../../body/answer-json.ts';
import { type AlignedTexts, alignInRows } from '../metrics/aligned-rows.ts';
import { diffJson, type JsonChange, printJsonDifference } from '../metrics/json-diff.ts';
import {
  computeErrorRates,
  type ErrorRates,
  type TimedTranscript,
} from '../metrics/transcript-alignment.ts';
import type { TranscriptNormalization } from '../metrics/transcript-units.ts';
import { type DiffRun, diffWords } from '../metrics/word-diff.ts';

addEventListener('message', ({ data }: MessageEvent<WorkerRequest<WorkName>>) => {
  self.postMessage(runTask(data));
});

interface Work {
  'word-diff': { input: { first: string; second: string }; output: WordDiff };
  'json-diff': {
    input: { first: string; second: string };
    /** Null unless both texts are JSON. */
    output: JsonChange[] | null;
  };
  alignment: {
    input: {
      base: string;
      transcripts: readonly TimedTranscript[];
      normalization: TranscriptNormalization;
    };
    output: AlignedTexts;
  };
  loudness: {
    /** Samples range from -1 to 1. */
    input: { sampleRate: number; channels: readonly Float32Array[] };
    /** LUFS; null if the audio is silent or too short. */
    output: number | null;
  };
  'error-rates': {
    input: {
      reference: string;
      hypotheses: readonly string[];
      normalization: TranscriptNormalization;
    };
    output: ErrorRates[];
  };
}

export interface WordDiff {
  runs: DiffRun[];
  addedWords: number;
  removedWords: number;
}

export type WorkName = keyof Work;
export type WorkInput<Name extends WorkName> = Work[Name]['input'];
export type WorkOutput<Name extends WorkName> = Work[Name]['output'];

export interface WorkerRequest<Name extends WorkName> {
  name: Name;
  input: WorkInput<Name>;
}

export type WorkerResponse<Name extends WorkName> =
  | { output: WorkOutput<Name> }
  | { problem: string };

const works: { [Name in WorkName]: (input: WorkInput<Name>) => WorkOutput<Name> } = {
  'word-diff': ({ first, second }) => {
    const runs = diffWords(first, second);
    return {
      runs,
      addedWords: countWords(runs, 'added'),
      removedWords: countWords(runs, 'removed'),
    };
  },
  'json-diff': ({ first, second }) => {
    const [one, other] = [readJsonAnswer(first), readJsonAnswer(second)];
    if (one === null || other === null) return null;
    return diffJson(one.value, other.value).map(printJsonDifference);
  },
  alignment: ({ base, transcripts, normalization }) =>
    alignInRows(base, transcripts, normalization),
  loudness({ sampleRate, channels }) {
    const meter = createLoudnessMeter(sampleRate, channels.length);
    meter.add(channels);
    return meter.finish();
  },
  'error-rates': ({ reference, hypotheses, normalization }) =>
    hypotheses.map((hypothesis) => computeErrorRates(reference, hypothesis, normalization)),
};

export function runTask<Name extends WorkName>({
  name,
  input,
}: WorkerRequest<Name>): WorkerResponse<Name> {
  try {
    return { output: works[name](input) };
  } catch (cause) {
    return { problem: String(cause) };
  }
}

function countWords(runs: readonly DiffRun[], kind: DiffRun['kind']): number {
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  let count = 0;
  for (const run of runs) {
    if (run.kind !== kind) continue;
    for (const { isWordLike } of segmenter.segment(run.text)) if (isWordLike) count += 1;
  }
  return count;
}
