/** Encodes MP3, AAC, FLAC and Opus with mediabunny. */
import {
  AdtsOutputFormat,
  type AudioCodec,
  AudioSample,
  AudioSampleSource,
  CustomAudioEncoder,
  EncodedPacket,
  FlacOutputFormat,
  Mp3OutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  registerEncoder,
  StreamTarget,
} from 'mediabunny';
import type OpusScript from 'opusscript';
import type { SpeechFormat } from '../../../../shared/operations/speech/speech.ts';
import { SPEECH_SAMPLE_RATE, type SpeechEncoder } from './encode-audio.ts';

type CodecFormat = Exclude<SpeechFormat, 'wav' | 'pcm'>;

interface Codec {
  register: () => Promise<void> | void;
  /** If `isWhole` is true, the header is written last, so it can include the duration. */
  container: (isWhole: boolean) => OutputFormat;
}

const CODECS: Record<CodecFormat, Codec> = {
  mp3: {
    register: async () => (await import('@mediabunny/mp3-encoder')).registerMp3Encoder(),
    container: (isWhole) => new Mp3OutputFormat({ xingHeader: isWhole }),
  },
  aac: {
    register: async () => (await import('@mediabunny/aac-encoder')).registerAacEncoder(),
    container: () => new AdtsOutputFormat(),
  },
  flac: {
    register: async () => (await import('@mediabunny/flac-encoder')).registerFlacEncoder(),
    container: () => new FlacOutputFormat(),
  },
  opus: { register: registerOpusEncoder, container: () => new OggOutputFormat() },
};

const BITS_PER_SECOND = 64_000;
/** Codecs receive one second of audio at a time. */
const SLICE = SPEECH_SAMPLE_RATE;

export async function createCodecEncoder(
  codec: CodecFormat,
  isWhole: boolean,
): Promise<SpeechEncoder> {
  const { register, container } = CODECS[codec];
  await register();
  const written: { data: Uint8Array; position: number }[] = [];
  const target = new StreamTarget(
    new WritableStream({ write: ({ data, position }) => void written.push({ data, position }) }),
  );
  const output = new Output({ format: container(isWhole), target });
  const source = new AudioSampleSource({ codec, bitrate: BITS_PER_SECOND });
  output.addAudioTrack(source);
  await output.start();
  let seconds = 0;
  let taken = 0;
  const take = () => {
    const end = Math.max(taken, ...written.map(({ data, position }) => position + data.length));
    const bytes = new Uint8Array(end - taken);
    for (const { data, position } of written.splice(0)) bytes.set(data, position - taken);
    taken = end;
    return bytes;
  };
  return {
    async encode(samples) {
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
      return isWhole ? new Uint8Array() : take();
    },
    async finish() {
      await output.finalize();
      return take();
    },
  };
}

const FRAME_SECONDS = 0.02;
/** The codec adds this many samples, at 48 kHz, before the audio. */
const PRE_SKIP = 312;
const CLOCK = 48_000;
/**
 * `OPUS_SET_COMPLEXITY` accepts 0 to 10, but higher values barely improve speech at this bit rate.
 */
const SET_COMPLEXITY = 4010;
const COMPLEXITY = 2;

let registered = false;

function registerOpusEncoder(): void {
  if (!registered) registerEncoder(OpusEncoder);
  registered = true;
}

class OpusEncoder extends CustomAudioEncoder {
  #opus: OpusScript | null = null;
  #waiting = new Int16Array();
  #sent = 0;

  static override supports(
    codec: AudioCodec,
    { sampleRate, numberOfChannels }: AudioEncoderConfig,
  ) {
    return codec === 'opus' && sampleRate === SPEECH_SAMPLE_RATE && numberOfChannels === 1;
  }

  async init(): Promise<void> {
    const { default: Opus } = await import('opusscript');
    // This build without WebAssembly is a single file, so it can be bundled.
    this.#opus = new Opus(SPEECH_SAMPLE_RATE, 1, Opus.Application.AUDIO, { wasm: false });
    this.#opus.encoderCTL(SET_COMPLEXITY, COMPLEXITY);
    if (this.config.bitrate !== undefined) this.#opus.setBitrate(this.config.bitrate);
  }

  encode(sample: AudioSample): void {
    const samples = new Int16Array(sample.numberOfFrames);
    sample.copyTo(samples, { format: 's16', planeIndex: 0 });
    const joined = new Int16Array(this.#waiting.length + samples.length);
    joined.set(this.#waiting);
    joined.set(samples, this.#waiting.length);
    this.#waiting = joined;
    this.#sendFrames();
  }

  flush(): void {
    const frame = SPEECH_SAMPLE_RATE * FRAME_SECONDS;
    const padded = new Int16Array(Math.ceil(this.#waiting.length / frame) * frame);
    padded.set(this.#waiting);
    this.#waiting = padded;
    this.#sendFrames();
  }

  close(): void {
    this.#opus?.delete();
    this.#opus = null;
  }

  #sendFrames(): void {
    const frame = SPEECH_SAMPLE_RATE * FRAME_SECONDS;
    let at = 0;
    for (; at + frame <= this.#waiting.length; at += frame) {
      const bytes = Buffer.from(this.#waiting.slice(at, at + frame).buffer);
      const encoded = this.#opus?.encode(bytes, frame);
      if (encoded === undefined) return;
      const packet = new EncodedPacket(encoded, 'key', this.#sent * FRAME_SECONDS, FRAME_SECONDS);
      this.onPacket(packet, this.#sent === 0 ? { decoderConfig: decoderConfig() } : undefined);
      this.#sent += 1;
    }
    this.#waiting = this.#waiting.slice(at);
  }
}

/** Writes the OpusHead of https://www.rfc-editor.org/rfc/rfc7845#section-5.1. */
function decoderConfig(): AudioDecoderConfig {
  const description = Buffer.alloc(19);
  description.write('OpusHead', 0, 'latin1');
  description.set([1, 1], 8);
  description.writeUInt16LE(PRE_SKIP, 10);
  description.writeUInt32LE(SPEECH_SAMPLE_RATE, 12);
  return { codec: 'opus', sampleRate: CLOCK, numberOfChannels: 1, description };
}
