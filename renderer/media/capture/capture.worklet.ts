/** Posts 16-bit mono samples from the audio thread in small blocks. */

/** TypeScript's DOM library has no types for audio worklets. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(
  name: string,
  processor: new () => AudioWorkletProcessor & {
    process(inputs: readonly (readonly Float32Array[])[]): boolean;
  },
): void;

export interface CapturedBlock {
  samples: Int16Array<ArrayBuffer>;
  /** `peak` is from 0 to 1. */
  peak: number;
  /** `last` is true for the block after `flush`. */
  last: boolean;
}

/** A block is about 43 ms long at 48 kHz. */
const BLOCK_FRAMES = 2048;

class CaptureProcessor extends AudioWorkletProcessor {
  #samples = new Int16Array(BLOCK_FRAMES);
  #count = 0;
  #peak = 0;
  #ended = false;

  constructor() {
    super();
    this.port.onmessage = () => {
      this.#ended = true;
      this.#send();
    };
  }

  process([input = []]: readonly (readonly Float32Array[])[]): boolean {
    const frames = input[0]?.length ?? 0;
    for (let frame = 0; frame < frames && !this.#ended; frame += 1) {
      let sum = 0;
      for (const channel of input) sum += channel[frame] ?? 0;
      this.#add(sum / input.length);
    }
    return !this.#ended;
  }

  #add(sample: number): void {
    const clipped = Math.max(-1, Math.min(1, sample));
    this.#samples[this.#count] = Math.round(clipped * (clipped < 0 ? 32_768 : 32_767));
    this.#count += 1;
    this.#peak = Math.max(this.#peak, Math.abs(clipped));
    if (this.#count === BLOCK_FRAMES) this.#send();
  }

  #send(): void {
    const samples = this.#samples.slice(0, this.#count);
    const block: CapturedBlock = { samples, peak: this.#peak, last: this.#ended };
    this.port.postMessage(block, [samples.buffer]);
    this.#count = 0;
    this.#peak = 0;
  }
}

registerProcessor('capture', CaptureProcessor);
