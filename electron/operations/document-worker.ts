/** Decodes, parses, converts and folds long documents on a thread, which keeps their text. */
import { randomBytes } from 'node:crypto';
import { parentPort, type Transferable } from 'node:worker_threads';
import { deflateRawSync } from 'node:zlib';
import { ExactNumber } from '../../shared/exact-number.ts';
import { parseJson, parseRounded } from '../../shared/parse-json.ts';
import { foldRun } from '../../shared/run-view.ts';
import { type CharsetDecoder, createCharsetDecoder } from '../gateway/body-charset.ts';
import { inspectDocument } from '../gateway/document-findings.ts';
import { LONG_BYTES } from '../gateway/long-document.ts';
import { EXCERPT_LENGTH, redactDocument } from '../gateway/response-reader.ts';
import { redactAll } from '../redaction/redactor.ts';
import type {
  Conversion,
  Converted,
  DocumentSteps,
  Settled,
  Settling,
  StepName,
  StepRequest,
  StepResponse,
} from './document-steps.ts';
import { type HarvestSink, harvests } from './harvest-media.ts';
import { readVectors } from './read-vectors.ts';

interface HeldDocument {
  contentType: string | null;
  secrets: readonly string[];
  charset: CharsetDecoder | null;
  parts: string[];
  text: string;
  /** Null until the document is converted. */
  converted: string | null;
  /** The text to record; null until it is known. */
  settled: string | null;
}

const COMPRESSION = { level: 1 };
const PIECE_LENGTH = 4_000_000;

const documents = new Map<number, HeldDocument>();
/** Buffers to transfer with the next response, instead of copying them. */
let moved: Transferable[] = [];

const steps: {
  [Name in StepName]: (
    document: HeldDocument,
    given: DocumentSteps[Name]['given'],
  ) => DocumentSteps[Name]['done'] | Promise<DocumentSteps[Name]['done']>;
} = {
  open: () => undefined,
  write(document, given) {
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    document.charset ??= createCharsetDecoder(document.contentType, bytes);
    document.parts.push(document.charset.write(bytes));
  },
  async read(document, { maxLength }) {
    const received = [...document.parts, document.charset?.end() ?? ''].join('');
    document.parts = [];
    const redactor = redactAll(document.secrets);
    const text = await redactDocument(received.replace(/^\uFEFF/, ''), redactor);
    document.text = text.slice(0, maxLength);
    return document.text.length;
  },
  convert,
  settle,
  piece: ({ settled, text }, { from }) => (settled ?? text).slice(from, from + PIECE_LENGTH),
  inspect: ({ text }, given) =>
    inspectDocument({ ...given, text: given.tooLong ? text.slice(0, EXCERPT_LENGTH) : text }),
  close: () => undefined,
};

function convert(document: HeldDocument, how: Conversion): Converted {
  const found: Converted = { files: [], vectors: null, refers: false, isInPieces: false };
  if (how.kind === 'vectors') {
    // Float32 vectors don't need exact digits.
    const response = parseRounded(document.text);
    const placeholder = createPlaceholder();
    const { batch, firstRow, dimensions } = how;
    const read =
      response === undefined
        ? null
        : readVectors(response, batch, { firstRow, dimensions, media: placeholder });
    if (read === null) return found;
    const { recorded, ...vectors } = read;
    document.converted = JSON.stringify(recorded);
    move(vectors.values);
    return { ...found, vectors: { ...vectors, placeholder } };
  }
  const json = parseJson(document.text);
  if (json === undefined) return found;
  const sink = collectFiles(found);
  const harvested = harvests[how.name](json, sink, false);
  if (harvested !== json) document.converted = JSON.stringify(harvested);
  return found;
}

function collectFiles(found: Converted): HarvestSink {
  const known = new Map<string, string>();
  const sink: HarvestSink = {
    add(base64, type, stem) {
      const bytes = Buffer.from(base64, 'base64');
      move(bytes);
      const placeholder = createPlaceholder();
      found.files.push({ placeholder, bytes, type, stem });
      return placeholder;
    },
    addOnce(base64, type, stem) {
      const id = known.get(base64) ?? sink.add(base64, type, stem);
      known.set(base64, id);
      return id;
    },
    append() {
      found.isInPieces = true;
      return '';
    },
    refer() {
      found.refers = true;
    },
  };
  return sink;
}

function settle(
  document: HeldDocument,
  { replacements, maxLength, truncated, exchange, view }: Settling,
): Settled {
  const ids = new Map(replacements);
  const converted = replacements === null ? null : document.converted;
  const all = converted?.replace(PLACEHOLDER, (found) => ids.get(found) ?? found) ?? document.text;
  const text = all.slice(0, maxLength);
  document.settled = text;
  const isShortened = text.length < all.length;
  const isLong = text.length > LONG_BYTES;
  const compressed = isLong ? deflateRawSync(text, COMPRESSION) : null;
  if (compressed !== null) move(compressed);
  const { state, phase } = foldRun(view, {
    kind: 'body',
    exchange,
    text,
    truncated: truncated || isShortened,
    seq: view.seq + 1,
    atMs: 0,
  });
  return {
    length: text.length,
    isShortened,
    compressed,
    folded: hasExactNumber(state) ? null : { state, phase },
  };
}

/** The prototype of an exact number would be lost between threads. */
function hasExactNumber(value: unknown): boolean {
  if (value instanceof ExactNumber) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasExactNumber);
}

const RUN = randomBytes(12).toString('hex');
const PLACEHOLDER = new RegExp(`pending-${RUN}-\\d+`, 'g');
let count = 0;

function createPlaceholder(): string {
  count += 1;
  return `pending-${RUN}-${count}`;
}

/** Node may keep small buffers in a common one, which can't be moved. */
function move({ buffer, byteLength }: ArrayBufferView): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) moved.push(buffer);
}

async function run({ document: id, step, given }: StepRequest): Promise<StepResponse['result']> {
  if (step === 'open') {
    documents.set(id, {
      ...given,
      charset: null,
      parts: [],
      text: '',
      converted: null,
      settled: null,
    });
  }
  const document = documents.get(id);
  if (step === 'close') documents.delete(id);
  if (document === undefined) return { failed: 'The document is closed.' };
  try {
    const perform: (document: HeldDocument, given: never) => unknown = steps[step];
    return { done: await perform(document, given as never) };
  } catch (cause) {
    return { failed: String(cause) };
  }
}

let last: Promise<void> = Promise.resolve();
parentPort?.on('message', (request: StepRequest) => {
  last = last.then(async () => {
    moved = [];
    const answer: StepResponse = { call: request.call, result: await run(request) };
    parentPort?.postMessage(answer, moved);
  });
});
