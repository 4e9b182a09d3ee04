import {
  ALL_FORMATS,
  AudioSampleSink,
  Input,
  ReadableStreamSource,
  type Source,
  UrlSource,
} from 'mediabunny';
import { createPeakBuilder, type PeakTable } from '../../../shared/media-peaks.ts';
import type { WavShape } from '../../../shared/wav.ts';
import { addSamples } from './sample-peaks.ts';

export interface PeakWorkerRequest {
  url: string;
  /** Posts peaks repeatedly while the file is still arriving. */
  growing: boolean;
  /** The format of samples without a header; null if the file has a header. */
  pcm: WavShape | null;
}

export type PeakWorkerResponse = { table: PeakTable; complete: boolean } | { problem: string };

/** The interval between partial results, long enough to keep drawing cheap. */
const PART_MS = 250;

async function outline({ url, growing, pcm }: PeakWorkerRequest): Promise<PeakTable> {
  const reportPart = growing ? createPartReporter() : () => undefined;
  if (pcm !== null) return outlineSamples(await fetchStream(url), pcm, reportPart);
  return outlineDecoded(
    growing ? new ReadableStreamSource(await fetchStream(url)) : new UrlSource(url),
    reportPart,
  );
}

type ReportPart = (soFar: () => PeakTable) => void;

/** Decodes in chunks, so that an hour of audio needs little memory. */
async function outlineDecoded(source: Source, reportPart: ReportPart): Promise<PeakTable> {
  const input = new Input({ source, formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryAudioTrack();
    if (track === null) throw new Error('This file has no audio.');
    const peaks = createPeakBuilder();
    const sampleRate = await track.getSampleRate();
    for await (const sample of new AudioSampleSink(track).samples()) {
      const planes = getPlanes(sample);
      sample.close();
      for (let frame = 0; frame < (planes[0]?.length ?? 0); frame += 1) {
        let min = 1;
        let max = -1;
        for (const plane of planes) {
          const value = plane[frame] ?? 0;
          if (value < min) min = value;
          if (value > max) max = value;
        }
        peaks.add(min * 32_767, max * 32_767);
      }
      reportPart(() => peaks.soFar(sampleRate));
    }
    return peaks.finish(sampleRate);
  } finally {
    input.dispose();
  }
}

async function outlineSamples(
  stream: ReadableStream<Uint8Array>,
  shape: WavShape,
  reportPart: ReportPart,
): Promise<PeakTable> {
  const peaks = createPeakBuilder();
  const frameBytes = 2 * shape.channels;
  let rest = new Uint8Array();
  for await (const piece of stream) {
    const bytes = new Uint8Array(rest.length + piece.length);
    bytes.set(rest);
    bytes.set(piece, rest.length);
    const whole = bytes.length - (bytes.length % frameBytes);
    addSamples(peaks, bytes.buffer.slice(0, whole), shape.channels);
    rest = bytes.slice(whole);
    reportPart(() => peaks.soFar(shape.sampleRate));
  }
  return peaks.finish(shape.sampleRate);
}

async function fetchStream(url: string): Promise<ReadableStream<Uint8Array>> {
  const { body } = await fetch(url);
  if (body === null) throw new Error('Not found.');
  return body;
}

interface Sample {
  numberOfFrames: number;
  numberOfChannels: number;
  copyTo(
    destination: Float32Array<ArrayBuffer>,
    options: { planeIndex: number; format: 'f32-planar' },
  ): void;
}

function getPlanes(sample: Sample): Float32Array[] {
  return Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
    const plane = new Float32Array(sample.numberOfFrames);
    sample.copyTo(plane, { planeIndex, format: 'f32-planar' });
    return plane;
  });
}

function createPartReporter(): ReportPart {
  let waits = false;
  return (soFar) => {
    if (waits) return;
    waits = true;
    setTimeout(() => {
      waits = false;
      answer({ table: soFar(), complete: false });
    }, PART_MS);
  };
}

addEventListener('message', ({ data }: MessageEvent<PeakWorkerRequest>) => {
  outline(data).then(
    (table) => answer({ table, complete: true }),
    (cause: unknown) => answer({ problem: String(cause) }),
  );
});

function answer(message: PeakWorkerResponse): void {
  self.postMessage(message);
}
