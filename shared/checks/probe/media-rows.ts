/** The rows of a probe that ask other than chat models. */
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../json.ts';
import type { OperationName } from '../../operations/operation-name.ts';
import { parseJson } from '../../parse-json.ts';
import { isRunOf, type RunView } from '../../run-view.ts';
import type { Verdict } from '../check.ts';
import {
  type Answers,
  agree,
  cannotTell,
  contradict,
  type Judge,
  PLAIN,
  type ProbeRequest,
  type ProbeRow,
} from './judge-row.ts';
import { followAsked, followValue, getView, type Rule } from './rules.ts';

type Row = Omit<ProbeRow, 'operation' | 'group'>;

function addTo(operation: OperationName, group: string, rows: readonly Row[]): ProbeRow[] {
  return rows.map((row) => ({ ...row, operation, group }));
}

/** Asks with fields, and once without them. */
function askBoth(base: JsonObject, fields: JsonObject): Record<string, ProbeRequest> {
  return { [PLAIN]: { request: base }, asked: { request: { ...base, ...fields } } };
}

const list: Judge = (answers) => {
  const model = answers.asked?.view?.model || String(answers.asked?.request.model ?? '');
  const row = findListed(answers, model);
  if (row === undefined) return cannotTell('The response is no list of models.', 'asked');
  if (row === null) return contradict(`The list doesn’t have ${model}.`, 'asked', 'data');
  return agree(`The list has ${model}.`, 'asked', 'data');
};

const PLAIN_FACTS = new Set(['id', 'name', 'object', 'created', 'owned_by', 'type']);

const listFacts: Judge = (answers) => {
  const model = answers.asked?.view?.model || String(answers.asked?.request.model ?? '');
  const row = findListed(answers, model);
  if (!row) return cannotTell('The model isn’t in a list.', 'asked');
  const facts = Object.keys(row).filter((name) => !PLAIN_FACTS.has(name));
  if (facts.length === 0) return contradict('The list has only the name.', 'asked', 'data');
  return agree(`The list says: ${facts.join(', ')}.`, 'asked', 'data');
};

/** Returns null for a model that isn't listed, and undefined without a list. */
function findListed(answers: Answers, model: string): JsonObject | null | undefined {
  const view = getView(answers, 'asked');
  const body = view !== null && isRunOf(view, 'console') ? parseJson(view.state.text ?? '') : null;
  const rows = isJsonObject(body) ? (body.data ?? body.models) : body;
  if (!Array.isArray(rows)) return undefined;
  const isModel = ({ id, name }: JsonObject) =>
    [id, name].some((each) => each === model || each === `models/${model}`);
  return rows.filter(isJsonObject).find(isModel) ?? null;
}

const models: ProbeRequest = { request: { method: 'GET', path: '/v1/models', body: null } };

const listRows = addTo('console', 'Model list', [
  {
    id: 'model-list',
    label: 'Model list',
    fields: [],
    requests: () => ({ asked: models }),
    counterexample: 'The list doesn’t have the model',
    judge: list,
  },
  {
    id: 'model-facts',
    label: 'Facts in the model list',
    fields: [],
    requests: () => ({ asked: models }),
    counterexample: 'The list has nothing but the model’s name',
    judge: listFacts,
  },
]);

const speech = { input: 'The harbor is open from six in the morning to nine at night.' };

const judgeVoice: Judge = (answers) => {
  const [voice, again, other] = ['voice', 'again', 'other'].map((name) => answers[name]?.fileHash);
  if (voice === undefined || again === undefined || other === undefined) {
    return cannotTell('The response has no audio.', 'voice', 'audio');
  }
  if (voice === other) {
    return contradict('Another voice gets the same audio.', 'other', 'audio');
  }
  if (voice !== again) {
    return cannotTell('Audio differs even with the same voice.', 'again', 'audio');
  }
  return agree('The same voice gets the same audio; another one doesn’t.', 'other', 'audio');
};

const SPEED = 2;
/** The pauses at both ends don't get shorter. */
const SPEED_TOLERANCE = 0.35;

const judgeSpeed: Judge = (answers) => {
  const [slow, fast] = [PLAIN, 'asked'].map((name) => getDuration(getView(answers, name)));
  if (slow == null || fast == null) {
    return cannotTell('The duration of the audio isn’t known.', 'asked', 'audio');
  }
  const ratio = slow / fast;
  const note = `${slow.toFixed(1)} s became ${fast.toFixed(1)} s at speed ${SPEED}.`;
  if (ratio < 1 + SPEED_TOLERANCE) return contradict(note, 'asked', 'audio');
  if (ratio > SPEED - SPEED_TOLERANCE) return agree(note, 'asked', 'audio');
  return cannotTell(note, 'asked', 'audio');
};

function getDuration(view: RunView | null): number | null {
  return view?.media.find(({ kind }) => kind === 'audio')?.durationSeconds ?? null;
}

const voices = ['alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer'];

const speechRows = addTo('speech', 'Speech', [
  ...['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'].map((format) => ({
    id: `speech-${format}`,
    label: `Format ${format}`,
    fields: ['response_format'],
    requests: () => askBoth(speech, { response_format: format }),
    ...followAsked('audio-format', 'The audio has another format'),
  })),
  ...voices.map((voice, at) => ({
    id: `voice-${voice}`,
    label: `Voice ${voice}`,
    fields: ['voice'],
    requests: () => {
      const say = (name?: string) => ({ request: { ...speech, voice: name ?? voice } });
      const other = voices[(at + 1) % voices.length];
      return { [PLAIN]: { request: speech }, voice: say(), again: say(), other: say(other) };
    },
    counterexample: 'Another voice gets exactly the same audio',
    judge: judgeVoice,
  })),
  {
    id: 'speed',
    label: 'Speed',
    fields: ['speed'],
    requests: () => askBoth(speech, { speed: SPEED }),
    counterexample: 'The audio at speed 2 isn’t a third shorter',
    judge: judgeSpeed,
  },
]);

function readTranscript(view: RunView): string | null {
  return isRunOf(view, 'transcription') ? view.state.format : null;
}

function readTimes(name: 'words' | 'segments'): (view: RunView) => string | null {
  return (view) => {
    if (!isRunOf(view, 'transcription')) return null;
    return view.state[name].length > 0 ? name : `no ${name}`;
  };
}

const transcriptionRows = addTo('transcription', 'Transcription', [
  ...['json', 'text', 'srt', 'vtt', 'verbose_json', 'diarized_json'].map((format) => ({
    id: `transcript-${format.replaceAll('_', '-')}`,
    label: `Format ${format}`,
    fields: ['response_format'],
    requests: ({ recording }: { recording: string }) =>
      askBoth({ file: recording }, { response_format: format }),
    ...followValue({
      wanted: format,
      read: readTranscript,
      field: '',
      counterexample: 'The response has another format',
    }),
  })),
  ...(['word', 'segment'] as const).map((granularity) => ({
    id: `timestamps-${granularity}`,
    label: `Timestamps of ${granularity}s`,
    fields: ['timestamp_granularities'],
    requests: ({ recording }: { recording: string }) => {
      const verbose = { file: recording, response_format: 'verbose_json' };
      const asked = { ...verbose, timestamp_granularities: [granularity] };
      return {
        [PLAIN]: { request: { file: recording } },
        verbose: { request: verbose },
        asked: { request: asked },
      };
    },
    ...followValue({
      wanted: `${granularity}s`,
      read: readTimes(`${granularity}s`),
      field: `${granularity}s`,
      control: 'verbose',
      counterexample: `The response has no ${granularity}s`,
    }),
  })),
]);

const picture = 'A red lighthouse on a white cliff';
const contents: JsonValue = [{ role: 'user', parts: [{ text: picture }] }];
const SIDES = { '512': 512, '1K': 1024, '2K': 2048, '4K': 4096 };

/** Returns the size label whose square has about as many pixels. */
function readSize(view: RunView): string | null {
  const image = view.media.find(({ kind }) => kind === 'image');
  if (image?.width == null || image.height === null) return null;
  const side = Math.sqrt(image.width * image.height);
  const distance = (label: number) => Math.abs(Math.log2(side / label));
  const [label] = Object.entries(SIDES).sort(
    ([, one], [, other]) => distance(one) - distance(other),
  );
  return label?.[0] ?? null;
}

function askImage(imageConfig: JsonObject): Record<string, ProbeRequest> {
  return askBoth({ contents }, { generationConfig: { imageConfig } });
}

/** Asks in the Images format, which the demo gateway and most others also have. */
function askImages(fields: JsonObject): Record<string, ProbeRequest> {
  return askBoth({ contents, format: 'images' }, fields);
}

const imageRows = addTo('image', 'Image', [
  ...['1:1', '3:2', '2:3', '4:3', '3:4', '16:9', '9:16'].map((ratio) => ({
    id: `image-ratio-${ratio.replace(':', '-')}`,
    label: `Ratio ${ratio}`,
    fields: ['generationConfig.imageConfig.aspectRatio'],
    requests: () => askImage({ aspectRatio: ratio }),
    ...followAsked('pixels', 'The image has another ratio, by more than 4%'),
  })),
  ...['1K', '2K', '4K'].map((size) => ({
    id: `image-size-${size}`,
    label: `Size ${size}`,
    fields: ['generationConfig.imageConfig.imageSize'],
    asksBefore: size === '4K',
    requests: () => askImage({ imageSize: size }),
    ...followValue({
      wanted: size,
      read: readSize,
      field: 'image',
      counterexample: 'The image has about as many pixels as another size',
    }),
  })),
  ...['1024x1024', '1536x1024', '1024x1536'].map((size) => ({
    id: `images-size-${size}`,
    label: `Size ${size} (Images)`,
    fields: ['size'],
    requests: () => askImages({ size }),
    ...followAsked('pixels', 'The image has other pixels'),
  })),
  {
    id: 'images-n',
    label: 'Images (n)',
    fields: ['n'],
    requests: () => askImages({ n: 2 }),
    ...followAsked('choices', 'The response has another number of images'),
  },
]);

/** Two different values that both come can't be one default. */
function followTwice(finding: 'duration' | 'video-size', counterexample: string): Rule {
  return {
    counterexample,
    judge(answers) {
      const [one, other] = ['one', 'other'].map((name) =>
        followAsked(finding, counterexample, name).judge(answers),
      );
      const judgments = [one, other].filter((judgment) => judgment !== undefined);
      const isOf = (verdict: Verdict) => judgments.find((each) => each.verdict === verdict);
      return isOf('ignored') ?? isOf('unclear') ?? one ?? cannotTell('There is no video.');
    },
  };
}

const scene = { prompt: 'A lighthouse at dusk, waves, fixed camera' };
const videos = () => ({
  one: { request: { ...scene, duration: 4, width: 1280, height: 720 } },
  other: { request: { ...scene, duration: 8, width: 720, height: 1280 } },
});

const videoRows = addTo('video', 'Video', [
  {
    id: 'video-duration',
    label: 'Duration',
    fields: ['duration'],
    asksBefore: true,
    requests: videos,
    ...followTwice('duration', 'A video is half a second off'),
  },
  {
    id: 'video-size',
    label: 'Width and height',
    fields: ['width', 'height'],
    asksBefore: true,
    requests: videos,
    ...followTwice('video-size', 'A video has other pixels'),
  },
]);

const search = {
  query: 'When does the harbor open?',
  documents: [
    'The harbor opens at six in the morning.',
    'Bread is baked with flour and water.',
    'The harbor closes at nine at night.',
    'Cats sleep most of the day.',
  ],
};

const judgeDocuments: Judge = (answers) => {
  const [withThem, without] = ['asked', 'off'].map((name) => {
    const view = getView(answers, name);
    const results = view !== null && isRunOf(view, 'rerank') ? view.state.results : [];
    return results.map(({ document }) => document !== null);
  });
  if (!withThem?.length || !without?.length) return cannotTell('There are no results.', 'asked');
  if (withThem.includes(false)) {
    return contradict('A result has no document.', 'asked', 'results[0].document');
  }
  if (without.includes(true)) {
    return contradict('A result has a document unasked.', 'off', 'results[0].document');
  }
  return agree('The results have documents only if asked for.', 'asked', 'results[0].document');
};

const rerankRows = addTo('rerank', 'Rerank', [
  {
    id: 'top-n',
    label: 'Top n',
    fields: ['top_n'],
    requests: () => askBoth(search, { top_n: 2 }),
    ...followAsked('top-n', 'The response has another number of results'),
  },
  {
    id: 'return-documents',
    label: 'Return documents',
    fields: ['return_documents'],
    requests: () => ({
      ...askBoth(search, { return_documents: true }),
      off: { request: { ...search, return_documents: false } },
    }),
    counterexample: 'A result lacks its document, or has it unasked',
    judge: judgeDocuments,
  },
]);

const inputs = ['The harbor opens at six.', 'Bread needs flour.', 'Cats sleep all day.'];
const batch = { input: inputs };
const reversed = { input: [...inputs].reverse() };

const judgeBatch: Judge = (answers) => {
  const view = getView(answers, PLAIN);
  if (view === null || !isRunOf(view, 'embeddings')) return cannotTell('No vectors came.', PLAIN);
  const { vectorCount } = view.state;
  const note = `${inputs.length} inputs got ${vectorCount} vectors.`;
  return (vectorCount === inputs.length ? agree : contradict)(note, PLAIN, 'data');
};

/** Vectors of the same text are this similar (cosine), in spite of rounding. */
const SAME_VECTOR = 0.99;

function getSimilarity(one: readonly number[], other: readonly number[]): number {
  const multiply = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
  return multiply(one, other) / Math.sqrt(multiply(one, one) * multiply(other, other));
}

const judgeOrder: Judge = (answers) => {
  const there = answers[PLAIN]?.vectors ?? [];
  const back = answers.reversed?.vectors ?? [];
  if (there.length !== inputs.length || back.length !== inputs.length) {
    return cannotTell('A vector is missing.', 'reversed', 'data');
  }
  const nearest = back.map((vector) => {
    const values = there.map((other) => getSimilarity(vector, other));
    const most = Math.max(...values);
    return values.filter((value) => value >= SAME_VECTOR).length > 1 ? -1 : values.indexOf(most);
  });
  if (nearest.includes(-1)) return cannotTell('Vectors of different texts are equal.', 'reversed');
  const expected = [...inputs.keys()].reverse();
  const note = `Inputs in reverse order got vectors ${nearest.map((at) => at + 1).join(', ')}.`;
  return (isSameJson(nearest, expected) ? agree : contradict)(note, 'reversed', 'data');
};

const embeddingRows = addTo('embeddings', 'Embeddings', [
  {
    id: 'dimensions',
    label: 'Dimensions',
    fields: ['dimensions'],
    requests: () => askBoth(batch, { dimensions: 64 }),
    ...followAsked('dimensions', 'The vectors have another length'),
  },
  {
    id: 'base64',
    label: 'Base64',
    fields: ['encoding_format'],
    requests: () => askBoth(batch, { encoding_format: 'base64' }),
    ...followValue({
      wanted: 'base64',
      read: (view) => (isRunOf(view, 'embeddings') ? view.state.encoding : null),
      field: 'data[0].embedding',
      counterexample: 'The vectors are lists of numbers',
    }),
  },
  {
    id: 'order',
    label: 'Order',
    fields: ['input'],
    requests: () => ({ [PLAIN]: { request: batch }, reversed: { request: reversed } }),
    counterexample: 'The inputs in reverse order don’t get the vectors in reverse order',
    judge: judgeOrder,
  },
  {
    id: 'batch',
    label: 'Batch',
    fields: ['batch_size'],
    requests: () => ({ [PLAIN]: { request: batch } }),
    counterexample: 'The inputs don’t get a vector each',
    judge: judgeBatch,
  },
]);

export const mediaRows: readonly ProbeRow[] = [
  ...listRows,
  ...imageRows,
  ...videoRows,
  ...rerankRows,
  ...embeddingRows,
  ...speechRows,
  ...transcriptionRows,
];
