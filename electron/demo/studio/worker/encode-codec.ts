/** MP3, AAC, FLAC and Opus through mediabunny, each with an encoder in WebAssembly. */
import {
  AdtsOutputFormat,
  AudioSample,
  AudioSampleSource,
  FlacOutputFormat,
  Mp3OutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  StreamTarget,
} from 'mediabunny';
import type { SpeechFormat } from '../../../../shared/operations/speech/state.ts';
import { type SoundEncoder, SPEECH_SAMPLE_RATE } from './sound-encoder.ts';

type CodecFormat = Exclude<SpeechFormat, 'wav' | 'pcm'>;

interface Codec {
  codec: 'mp3' | 'aac' | 'flac' | 'opus';
  register: () => Promise<void>;
  /** `whole`: the head may be written last, with the length in it. */
  container: (whole: boolean) => OutputFormat;
  streams: boolean;
}

const CODECS: Record<CodecFormat, Codec> = {
  mp3: {
    codec: 'mp3',
    register: async () => (await import('@mediabunny/mp3-encoder')).registerMp3Encoder(),
    container: (whole) => new Mp3OutputFormat({ xingHeader: whole }),
    streams: true,
  },
  aac: {
    codec: 'aac',
    register: async () => (await import('@mediabunny/aac-encoder')).registerAacEncoder(),
    container: () => new AdtsOutputFormat(),
    streams: true,
  },
  flac: {
    codec: 'flac',
    register: async () => (await import('@mediabunny/flac-encoder')).registerFlacEncoder(),
    container: () => new FlacOutputFormat(),
    // Its head has its length, and players seek by that.
    streams: false,
  },
  opus: {
    codec: 'opus',
    register: async () => (await import('./opus-encoder.ts')).registerOpusEncoder(),
    container: () => new OggOutputFormat(),
    streams: true,
  },
};

const BITS_PER_SECOND = 64_000;
/** Codecs take a second at a time. */
const SLICE = SPEECH_SAMPLE_RATE;

export async function createCodecEncoder(format: CodecFormat): Promise<SoundEncoder> {
  const { register, streams } = CODECS[format];
  await register();
  let session: CodecSession | null = null;
  const started = async (whole: boolean) => {
    session ??= await openSession(CODECS[format], whole);
    return session;
  };
  const finish = async () => (await started(false)).finish();
  return {
    streams,
    encode: async (samples) => (await started(false)).add(samples),
    finish,
    encodeAll: async (parts) => {
      const whole = await started(true);
      for (const samples of parts) await whole.add(samples, true);
      return finish();
    },
  };
}

interface CodecSession {
  /** Returns what is ready; with `keep` that waits for `finish`. */
  add: (samples: Int16Array, keep?: boolean) => Promise<Uint8Array>;
  finish: () => Promise<Uint8Array>;
}

async function openSession({ codec, container }: Codec, whole: boolean): Promise<CodecSession> {
  const written: { data: Uint8Array; position: number }[] = [];
  const target = new StreamTarget(
    new WritableStream({ write: ({ data, position }) => void written.push({ data, position }) }),
  );
  const output = new Output({ format: container(whole), target });
  const source = new AudioSampleSource({ codec, bitrate: BITS_PER_SECOND });
  output.addAudioTrack(source);
  await output.start();
  let seconds = 0;
  let taken = 0;
  const take = () => {
    const end = written.reduce(
      (most, { data, position }) => Math.max(most, position + data.length),
      taken,
    );
    const bytes = new Uint8Array(end - taken);
    for (const { data, position } of written.splice(0)) bytes.set(data, position - taken);
    taken = end;
    return bytes;
  };
  return {
    add: async (samples, keep = false) => {
      for (let at = 0; at < samples.length; at += SLICE) {
        const data = samples.slice(at, at + SLICE);
        const sample = new AudioSample({
          data,
          format: 's16',
          numberOfChannels: 1,
          sampleRate: SPEECH_SAMPLE_RATE,
          timestamp: seconds,
        });
        await source.add(sample);
        sample.close();
        seconds += data.length / SPEECH_SAMPLE_RATE;
      }
      return keep ? new Uint8Array() : take();
    },
    finish: async () => {
      await output.finalize();
      return take();
    },
  };
}
