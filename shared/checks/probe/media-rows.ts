/** The rows of a probe that ask other than chat models. */
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';
import { isRunOf, type RunView } from '../../run-view.ts';
import { agree, cannotTell, contradict, PLAIN, type RowGroup, type Rule } from './judge-row.ts';
import { follow, followAsked, getView, mapRows, readValue, show } from './rules.ts';

const models = { asked: { method: 'GET', path: '/v1/models', body: null } };

/** Returns null for a model that isn't listed, and undefined without a list. */
function findListed(view: RunView, model: string): JsonObject | null | undefined {
  const body = isRunOf(view, 'console') ? parseJson(view.state.text ?? '') : null;
  const rows = isJsonObject(body) ? (body.data ?? body.models) : body;
  if (!Array.isArray(rows)) return undefined;
  const isModel = ({ id, name }: JsonObject) =>
    [id, name].some((each) => each === model || each === `models/${model}`);
  return rows.filter(isJsonObject).find(isModel) ?? null;
}

function getModel(view: RunView, request: JsonObject): string {
  return view.model || String(request.model ?? '');
}

const PLAIN_FACTS = new Set(['id', 'name', 'object', 'created', 'owned_by', 'type']);

export const listGroup: RowGroup = {
  group: 'Model list',
  operation: 'console',
  rows: {
    'model-list': {
      label: 'Model list',
      fields: [],
      requests: models,
      ...show('The list doesn’t have the model', 'data', (view, request) => {
        const model = getModel(view, request);
        const row = findListed(view, model);
        if (row === undefined) return 'The response is no list of models.';
        return { holds: row !== null, note: `The list ${row ? 'has' : 'doesn’t have'} ${model}.` };
      }),
    },
    'model-facts': {
      label: 'Facts in the model list',
      fields: [],
      requests: models,
      ...show('The list has nothing but the model’s name', 'data', (view, request) => {
        const row = findListed(view, getModel(view, request));
        if (!row) return 'The model isn’t in a list.';
        const facts = Object.keys(row).filter((name) => !PLAIN_FACTS.has(name));
        if (facts.length === 0) return { holds: false, note: 'The list has only the name.' };
        return { holds: true, note: `The list says: ${facts.join(', ')}.` };
      }),
    },
  },
};

const picture = 'A red lighthouse on a white cliff';
const contents: JsonValue = [{ role: 'user', parts: [{ text: picture }] }];
/** The Images format, which the demo gateway and most others also have. */
const images = { contents, format: 'images' };
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

const scene = { prompt: 'A lighthouse at dusk, waves, fixed camera' };
const videos = {
  one: { ...scene, duration: 4, width: 1280, height: 720 },
  other: { ...scene, duration: 8, width: 720, height: 1280 },
};

/** Two different values that both come can't be one default. */
function followTwice(finding: 'duration' | 'video-size', counterexample: string): Rule {
  const rules = ['one', 'other'].map((name) => followAsked(finding, counterexample, name));
  return {
    counterexample,
    judge(answers) {
      const judgments = rules.map(({ judge }) => judge(answers));
      const find = (verdict: string) => judgments.find((each) => each.verdict === verdict);
      return find('ignored') ?? find('unclear') ?? judgments[0] ?? cannotTell('There is no video.');
    },
  };
}

const search = {
  query: 'When does the harbor open?',
  documents: [
    'The harbor opens at six in the morning.',
    'Bread is baked with flour and water.',
    'The harbor closes at nine at night.',
    'Cats sleep most of the day.',
  ],
};

const inputs = ['The harbor opens at six.', 'Bread needs flour.', 'Cats sleep all day.'];
const batch = { input: inputs };

/** Vectors of the same text are this similar (cosine), in spite of rounding. */
const SAME_VECTOR = 0.99;

function getSimilarity(one: readonly number[], other: readonly number[]): number {
  const multiply = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
  return multiply(one, other) / Math.sqrt(multiply(one, one) * multiply(other, other));
}

const speech = { input: 'The harbor is open from six in the morning to nine at night.' };
const voices = ['alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer'];

const voiceRule: Rule = {
  counterexample: 'Another voice gets exactly the same audio',
  judge(answers) {
    const [voice, again, other] = ['voice', 'again', 'other'].map(
      (name) => answers[name]?.fileHash,
    );
    if (voice === undefined || again === undefined || other === undefined) {
      return cannotTell('The response has no audio.', 'voice', 'audio');
    }
    if (voice === other) {
      return contradict('Another voice gets the same audio.', 'other', 'audio');
    }
    return voice === again
      ? agree('The same voice gets the same audio; another one doesn’t.', 'other', 'audio')
      : cannotTell('Audio differs even with the same voice.', 'again', 'audio');
  },
};

const SPEED = 2;
/** The pauses at both ends don't get shorter. */
const SPEED_TOLERANCE = 0.35;

const verbose = { response_format: 'verbose_json' };

export const mediaGroups: readonly RowGroup[] = [
  {
    group: 'Image',
    operation: 'image',
    plain: { contents },
    rows: {
      ...mapRows(['1:1', '3:2', '2:3', '4:3', '3:4', '16:9', '9:16'], (aspectRatio) => ({
        id: `image-ratio-${aspectRatio.replace(':', '-')}`,
        label: `Ratio ${aspectRatio}`,
        fields: ['generationConfig.imageConfig.aspectRatio'],
        requests: { asked: { contents, generationConfig: { imageConfig: { aspectRatio } } } },
        ...followAsked('pixels', 'The image has another ratio, by more than 4%'),
      })),
      ...mapRows(['1K', '2K', '4K'], (imageSize) => ({
        id: `image-size-${imageSize}`,
        label: `Size ${imageSize}`,
        fields: ['generationConfig.imageConfig.imageSize'],
        requests: { asked: { contents, generationConfig: { imageConfig: { imageSize } } } },
        ...follow(
          'The image has about as many pixels as another size',
          'image',
          readValue(imageSize, readSize),
        ),
      })),
      ...mapRows(['1024x1024', '1536x1024', '1024x1536'], (size) => ({
        id: `images-size-${size}`,
        label: `Size ${size} (Images)`,
        fields: ['size'],
        requests: { [PLAIN]: images, asked: { ...images, size } },
        ...followAsked('pixels', 'The image has other pixels'),
      })),
      'images-n': {
        label: 'Images (n)',
        fields: ['n'],
        requests: { [PLAIN]: images, asked: { ...images, n: 2 } },
        ...followAsked('choices', 'The response has another number of images'),
      },
    },
  },
  {
    group: 'Video',
    operation: 'video',
    rows: {
      'video-duration': {
        label: 'Duration',
        fields: ['duration'],
        requests: videos,
        ...followTwice('duration', 'A video is half a second off'),
      },
      'video-size': {
        label: 'Width and height',
        fields: ['width', 'height'],
        requests: videos,
        ...followTwice('video-size', 'A video has other pixels'),
      },
    },
  },
  {
    group: 'Rerank',
    operation: 'rerank',
    plain: search,
    rows: {
      'top-n': {
        label: 'Top n',
        requests: { asked: { ...search, top_n: 2 } },
        ...followAsked('top-n', 'The response has another number of results'),
      },
      'return-documents': {
        label: 'Return documents',
        requests: {
          asked: { ...search, return_documents: true },
          off: { ...search, return_documents: false },
        },
        counterexample: 'A result lacks its document, or has it unasked',
        judge(answers) {
          const [withThem, without] = ['asked', 'off'].map((name) => {
            const view = getView(answers, name);
            const results = view !== null && isRunOf(view, 'rerank') ? view.state.results : [];
            return results.map(({ document }) => document !== null);
          });
          const field = 'results[0].document';
          if (!withThem?.length || !without?.length)
            return cannotTell('There are no results.', 'asked');
          if (withThem.includes(false))
            return contradict('A result has no document.', 'asked', field);
          return without.includes(true)
            ? contradict('A result has a document unasked.', 'off', field)
            : agree('The results have documents only if asked for.', 'asked', field);
        },
      },
    },
  },
  {
    group: 'Embeddings',
    operation: 'embeddings',
    plain: batch,
    rows: {
      dimensions: {
        label: 'Dimensions',
        requests: { asked: { ...batch, dimensions: 64 } },
        ...followAsked('dimensions', 'The vectors have another length'),
      },
      base64: {
        label: 'Base64',
        requests: { asked: { ...batch, encoding_format: 'base64' } },
        ...follow(
          'The vectors are lists of numbers',
          'data[0].embedding',
          readValue('base64', (view) => (isRunOf(view, 'embeddings') ? view.state.encoding : null)),
        ),
      },
      order: {
        label: 'Order',
        fields: ['input'],
        requests: { reversed: { input: inputs.toReversed() } },
        counterexample: 'The inputs in reverse order don’t get the vectors in reverse order',
        judge(answers) {
          const there = answers[PLAIN]?.vectors ?? [];
          const back = answers.reversed?.vectors ?? [];
          if (there.length !== inputs.length || back.length !== inputs.length) {
            return cannotTell('A vector is missing.', 'reversed', 'data');
          }
          const nearest = back.map((vector) => {
            const values = there.map((other) => getSimilarity(vector, other));
            const isClear = values.filter((value) => value >= SAME_VECTOR).length < 2;
            return isClear ? values.indexOf(Math.max(...values)) : -1;
          });
          if (nearest.includes(-1))
            return cannotTell('Vectors of different texts are equal.', 'reversed');
          const expected = [...inputs.keys()].reverse();
          const note = `Inputs in reverse order got vectors ${nearest.map((at) => at + 1).join(', ')}.`;
          return (isSameJson(nearest, expected) ? agree : contradict)(note, 'reversed', 'data');
        },
      },
      batch: {
        label: 'Batch',
        fields: ['batch_size'],
        ...show(
          'The inputs don’t get a vector each',
          'data',
          (view) => {
            if (!isRunOf(view, 'embeddings')) return 'No vectors came.';
            const { vectorCount } = view.state;
            const note = `${inputs.length} inputs got ${vectorCount} vectors.`;
            return { holds: vectorCount === inputs.length, note };
          },
          PLAIN,
        ),
      },
    },
  },
  {
    group: 'Speech',
    operation: 'speech',
    plain: speech,
    rows: {
      ...mapRows(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'], (format) => ({
        id: `speech-${format}`,
        label: `Format ${format}`,
        requests: { asked: { ...speech, response_format: format } },
        ...followAsked('audio-format', 'The audio has another format'),
      })),
      ...mapRows(voices, (voice) => {
        const asked = { ...speech, voice };
        const next = voices[(voices.indexOf(voice) + 1) % voices.length] ?? voice;
        return {
          id: `voice-${voice}`,
          label: `Voice ${voice}`,
          fields: ['voice'],
          requests: { voice: asked, again: asked, other: { ...speech, voice: next } },
          ...voiceRule,
        };
      }),
      speed: {
        label: 'Speed',
        requests: { asked: { ...speech, speed: SPEED } },
        counterexample: 'The audio at speed 2 isn’t a third shorter',
        judge(answers) {
          const [slow, fast] = [PLAIN, 'asked'].map(
            (name) =>
              getView(answers, name)?.media.find(({ kind }) => kind === 'audio')?.durationSeconds,
          );
          if (slow == null || fast == null) {
            return cannotTell('The duration of the audio isn’t known.', 'asked', 'audio');
          }
          const ratio = slow / fast;
          const note = `${slow.toFixed(1)} s became ${fast.toFixed(1)} s at speed ${SPEED}.`;
          if (ratio < 1 + SPEED_TOLERANCE) return contradict(note, 'asked', 'audio');
          return (ratio > SPEED - SPEED_TOLERANCE ? agree : cannotTell)(note, 'asked', 'audio');
        },
      },
    },
  },
  {
    group: 'Transcription',
    operation: 'transcription',
    plain: {},
    rows: {
      ...mapRows(['json', 'text', 'srt', 'vtt', 'verbose_json', 'diarized_json'], (format) => ({
        id: `transcript-${format.replaceAll('_', '-')}`,
        label: `Format ${format}`,
        requests: { asked: { response_format: format } },
        ...follow(
          'The response has another format',
          '',
          readValue(format, (view) => (isRunOf(view, 'transcription') ? view.state.format : null)),
        ),
      })),
      ...mapRows(['word', 'segment'] as const, (granularity) => ({
        id: `timestamps-${granularity}`,
        label: `Timestamps of ${granularity}s`,
        fields: ['timestamp_granularities'],
        requests: { verbose, asked: { ...verbose, timestamp_granularities: [granularity] } },
        ...follow(
          `The response has no ${granularity}s`,
          `${granularity}s`,
          readValue(`${granularity}s`, (view) => {
            if (!isRunOf(view, 'transcription')) return null;
            const isEmpty = view.state[`${granularity}s`].length === 0;
            return `${isEmpty ? 'no ' : ''}${granularity}s`;
          }),
          'asked',
          'verbose',
        ),
      })),
    },
  },
];
