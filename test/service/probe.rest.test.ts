import { describe, expect, it, onTestFinished } from 'vitest';
import { honestIds } from '../../electron/demo/language/honesty.ts';
import { startDemoGateway } from '../../electron/demo/server.ts';
import type { Services } from '../../electron/services.ts';
import type { ChatFormat, ProbeInput, RowVerdict } from '../../shared/checks/check.ts';
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
const matrices: [OperationName, ChatFormat, string[]][] = [
  ['console', '', ['hhhhhh model-list', 'hhhhhh model-facts']],
  [
    'chat',
    '',
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
  [
    'chat',
    'messages',
    [
      'hhhhhh model-name',
      'hhhhhh stream',
      'hihiuh temperature',
      'hirihh stop',
      'hihihh max-tokens',
      'hihihh max-completion-tokens',
      'hirihi json-schema',
      'hirihi json-schema-strict',
      'hirihi json-schema-nested',
      'hirihi json-schema-enum',
      'huruhh tools-auto',
      'hirihh tools-required',
      'hirihh tools-named',
      'huuuhh tools-none',
      'huruhh tools-parallel',
      'hirihh tools-no-parameters',
      'hirihi tools-image-result',
      'hihihh image-input',
      'hirihi file-input',
      'hihihh system-role',
      'hihihh developer-role',
      'hhhhhh long-unicode',
      'hirihi reasoning',
      'hiuiui reasoning-effort',
      'huruhu reasoning-signed',
      'iiriii unknown-field',
    ],
  ],
  [
    'chat',
    'responses',
    [
      'hhhhhh model-name',
      'hhhhhh stream',
      'hihiuh temperature',
      'hihihh max-tokens',
      'hihihh max-completion-tokens',
      'hihihi logprobs',
      'hirihi top-logprobs',
      'hiriuh json-object',
      'hirihh json-schema',
      'hiriuh json-schema-strict',
      'hirihh json-schema-nested',
      'hirihh json-schema-enum',
      'huruhh tools-auto',
      'hirihh tools-required',
      'hirihh tools-named',
      'huuuhh tools-none',
      'huruhi tools-parallel',
      'hirihh tools-no-parameters',
      'hirihh tools-image-result',
      'hihihh image-input',
      'hirihi file-input',
      'hihihh system-role',
      'hiriur developer-role',
      'hhhhhh long-unicode',
      'hirihi reasoning',
      'hirihi reasoning-effort',
      'huruhu reasoning-signed',
      'iiriii unknown-field',
    ],
  ],
  ['rerank', '', ['hihihi top-n', 'hirihi return-documents']],
  ['embeddings', '', ['hiriuh dimensions', 'hiriui base64', 'hhhhuh order', 'hhhhuh batch']],
  [
    'speech',
    '',
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
    '',
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
    '',
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
  ['video', '', ['hirihi video-duration', 'hiuihi video-size']],
];

describe('a probe of six models of different honesty', () => {
  it.each(matrices)('finds it in %s %s', async (operation, format, expected) => {
    const services = await serveDemo();
    const verdicts = await probe(services, { operations: [operation], formats: [format] });
    expect(drawMatrix(verdicts, honestIds)).toEqual(expected);
  });
});
