/** What turns speech samples into a format's bytes. */

/** What every format carries, one channel; the interface's family sends pcm like this without declaring it. */
export const SPEECH_SAMPLE_RATE = 24_000;

export interface SoundEncoder {
  /** Whether bytes may be sent before all samples are there. */
  streams: boolean;
  encode: (samples: Int16Array) => Promise<Uint8Array>;
  finish: () => Promise<Uint8Array>;
  /** Instead of both, where everything is there: the length is then in the header. */
  encodeAll: (parts: Int16Array[]) => Promise<Uint8Array>;
}
