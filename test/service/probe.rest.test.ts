import { describe, expect, it, onTestFinished } from 'vitest';
import { honestIds } from '../../electron/demo/language/honesty.ts';
import { startDemoGateway } from '../../electron/demo/server.ts';
import type { Services } from '../../electron/services.ts';
import type { ProbeInput, RowVerdict } from '../../shared/checks/check.ts';
import { probeRows } from '../../shared/checks/probe/rows.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { endedCheck, getProbe } from '../fixtures/checks.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const KEY = 'demo-test-key';

async function serveDemo(): Promise<Services> {
  const gateway = await startDemoGateway({ port: 0, key: KEY, speed: 1000, videoSeconds: 1 });
  onTestFinished(() => gateway.close());
  return await startTestServices({
    baseUrl: gateway.baseUrl,
    key: KEY,
    polling: { spacingMs: 1, random: () => 0.5, pauseMs: () => 1 },
  });
}

async function probe(services: Services, input: Partial<ProbeInput>): Promise<RowVerdict[]> {
  const whole: ProbeInput = {
    kind: 'probe',
    connectionId: 'environment',
    models: [...honestIds],
    formats: [''],
    operations: ['chat'],
    ...input,
  };
  const id = await services.checks.start(whole);
  return getProbe(await endedCheck(services, id)).verdicts;
}

/** A row of the matrix has a letter for each model. */
function drawMatrix(verdicts: readonly RowVerdict[], models: readonly string[]): string[] {
  return probeRows.flatMap(({ id }) => {
    const found = verdicts.filter(({ rowId }) => rowId === id);
    if (found.length === 0) return [];
    const letters = models.map(
      (model) => found.find((each) => each.model === model)?.verdict[0] ?? '-',
    );
    return `${letters.join('')} ${id}`;
  });
}

/** Columns: obeys, ignores, rejects, lies, unsteady, partly. */
const matrices: [OperationName, string[]][] = [
  ['console', ['hhhhhh model-list', 'hhhhhh model-facts']],
  [
    'chat',
    [
      'hhhihh model-name',
      'hhhhuh stream',
      'hihihh stream-usage',
      'hihihh temperature',
      'hiriui seed',
      'hirihi frequency-penalty',
      'huruui presence-penalty',
      'hiriur logit-bias',
      'hirihh stop',
      'hihihh max-tokens',
      'hiriui max-completion-tokens',
      'hirihr n',
      'hiriur logprobs',
      'hirihr top-logprobs',
      'hirihh json-object',
      'hiriuh json-schema',
      'hirihh json-schema-strict',
      'hirihh json-schema-nested',
      'hiriuh json-schema-enum',
      'huruhh tools-auto',
      'hirihh tools-required',
      'hirihh tools-named',
      'huuuhh tools-none',
      'huruui tools-parallel',
      'hiuihh tools-no-parameters',
      'huruuh tools-image-result',
      'hihihh image-input',
      'hiriui audio-input',
      'hirihi file-input',
      'hihihh system-role',
      'hirihr developer-role',
      'hhhhhh long-unicode',
      'hiriui reasoning',
      'hiriui reasoning-effort',
      'huruuu reasoning-signed',
      'iiriii unknown-field',
    ],
  ],
  ['rerank', ['hihihi top-n', 'hirihi return-documents']],
  ['embeddings', ['hiriuh dimensions', 'hiriui base64', 'hhhhuh order', 'hhhhuh batch']],
  [
    'speech',
    [
      'uuruuu speech-mp3',
      'hiriuh speech-opus',
      'hiriuh speech-aac',
      'hirihh speech-flac',
      'hirihh speech-wav',
      'hirihh speech-pcm',
      'hirihi voice-alloy',
      'hiriui voice-echo',
      'hiriui voice-fable',
      'hiriui voice-onyx',
      'hirihi voice-nova',
      'hirihi voice-shimmer',
      'hirihi speed',
    ],
  ],
  [
    'transcription',
    [
      'uuruuu transcript-json',
      'hirihh transcript-text',
      'hirihh transcript-srt',
      'hiriuh transcript-vtt',
      'hirihh transcript-verbose-json',
      'hirihh transcript-diarized-json',
      'hiuihi timestamps-word',
      'uiuiuu timestamps-segment',
    ],
  ],
  [
    'image',
    [
      'uuruuu image-ratio-1-1',
      'hiriui image-ratio-3-2',
      'hiriui image-ratio-2-3',
      'hiriui image-ratio-4-3',
      'hiriui image-ratio-3-4',
      'hiriui image-ratio-16-9',
      'hiriui image-ratio-9-16',
      'uuruuu image-size-1K',
      'hiriui image-size-2K',
      'hiriui image-size-4K',
      'uuruuu images-size-1024x1024',
      'hirihi images-size-1536x1024',
      'hirihi images-size-1024x1536',
      'hiriur images-n',
    ],
  ],
  ['video', ['hirihi video-duration', 'hiuihi video-size']],
];

describe('a probe of six models of different honesty', () => {
  it.each(matrices)('finds it in %s', async (operation, expected) => {
    const services = await serveDemo();
    const verdicts = await probe(services, { operations: [operation] });
    expect(drawMatrix(verdicts, honestIds)).toEqual(expected);
  });
});

const formats: ['messages' | 'responses', string[]][] = [
  [
    'messages',
    [
      'i json-schema',
      'i json-schema-strict',
      'i json-schema-nested',
      'i json-schema-enum',
      'i tools-parallel',
      'i tools-image-result',
      'i unknown-field',
    ],
  ],
  [
    'responses',
    [
      'i logprobs',
      'i top-logprobs',
      'i tools-parallel',
      'i tools-image-result',
      'i reasoning-signed',
      'i unknown-field',
    ],
  ],
];

describe('a probe of the obeying model', () => {
  it.each(formats)('finds what the demo doesn’t know in %s', async (format, expected) => {
    const services = await serveDemo();
    const models = ['demo-obeys'];
    const verdicts = await probe(services, { models, formats: [format] });
    const others = verdicts.filter(({ verdict }) => verdict !== 'honored');
    expect(drawMatrix(others, models)).toEqual(expected);
  });
});

describe('a probe of a model that ignores or rejects', () => {
  it.each(formats.map(([format]) => format))('gets answers to judge in %s', async (format) => {
    const services = await serveDemo();
    const models = ['demo-ignores', 'demo-rejects'];
    const verdicts = await probe(services, { models, formats: [format] });
    expect(drawMatrix(verdicts, models)).toEqual(
      expect.arrayContaining(['hh model-name', 'ih max-tokens']),
    );
  });
});
