/** Opus for mediabunny, which has no encoder of its own for it outside browsers. */
import {
  type AudioCodec,
  type AudioSample,
  CustomAudioEncoder,
  EncodedPacket,
  registerEncoder,
} from 'mediabunny';
import OpusScript from 'opusscript';
import { SPEECH_SAMPLE_RATE } from './sound-encoder.ts';

const FRAME_SECONDS = 0.02;
/** What the codec puts before the first sample, at its own 48 kHz. */
const PRE_SKIP = 312;
const CLOCK = 48_000;
/** `OPUS_SET_COMPLEXITY`: 0 to 10; speech at this rate hardly gains from more. */
const SET_COMPLEXITY = 4010;
const COMPLEXITY = 2;

let registered = false;

export function registerOpusEncoder(): void {
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

  init(): void {
    // The build without WebAssembly is one file, which a bundle can hold.
    this.#opus = new OpusScript(SPEECH_SAMPLE_RATE, 1, OpusScript.Application.AUDIO, {
      wasm: false,
    });
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

/** The head of an Opus stream: https://www.rfc-editor.org/rfc/rfc7845#section-5.1 */
function decoderConfig(): AudioDecoderConfig {
  const description = Buffer.alloc(19);
  description.write('OpusHead', 0, 'latin1');
  description.set([1, 1], 8);
  description.writeUInt16LE(PRE_SKIP, 10);
  description.writeUInt32LE(SPEECH_SAMPLE_RATE, 12);
  return { codec: 'opus', sampleRate: CLOCK, numberOfChannels: 1, description };
}
