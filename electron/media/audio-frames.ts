/** Reads the headers of MP3 and ADTS frames. */

export interface AudioFrame {
  bytes: number;
  samples: number;
  sampleRate: number;
  channels: number;
}

export type FrameReader = (bytes: Buffer, offset: number) => AudioFrame | null;

export const FRAME_HEADER_BYTES = 7;

/** Bit rates of MPEG 1 and 2 layer III, the only layer that gateways send. */
const MPEG1_KBITS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const MPEG2_KBITS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const MPEG_RATES = [44_100, 48_000, 32_000];
const AAC_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
  7350,
];

/** The header format is defined in ISO/IEC 11172-3, 2.4.1.3. */
export function readMpegFrame(bytes: Buffer, offset: number): AudioFrame | null {
  const b1 = bytes[offset + 1] ?? 0;
  const b2 = bytes[offset + 2] ?? 0;
  const b3 = bytes[offset + 3];
  if (bytes[offset] !== 0xff || (b1 & 0xe0) !== 0xe0 || b3 === undefined) return null;
  const version = (b1 >> 3) & 0x03;
  const isLayer3 = ((b1 >> 1) & 0x03) === 1;
  if (version === 1 || !isLayer3) return null;
  const isMpeg1 = version === 3;
  const kbits = (isMpeg1 ? MPEG1_KBITS : MPEG2_KBITS)[b2 >> 4];
  const rate = MPEG_RATES[(b2 >> 2) & 0x03];
  if (!kbits || rate === undefined) return null;
  const sampleRate = isMpeg1 ? rate : rate / (version === 2 ? 2 : 4);
  const padding = (b2 >> 1) & 0x01;
  return {
    bytes: Math.floor(((isMpeg1 ? 144_000 : 72_000) * kbits) / sampleRate) + padding,
    samples: isMpeg1 ? 1152 : 576,
    sampleRate,
    channels: b3 >> 6 === 3 ? 1 : 2,
  };
}

/** The header format is defined in ISO/IEC 14496-3, 1.A.2.2. */
export function readAdtsFrame(bytes: Buffer, offset: number): AudioFrame | null {
  const b1 = bytes[offset + 1] ?? 0;
  const b2 = bytes[offset + 2] ?? 0;
  const b3 = bytes[offset + 3] ?? 0;
  const b6 = bytes[offset + 6];
  if (bytes[offset] !== 0xff || (b1 & 0xf6) !== 0xf0 || b6 === undefined) return null;
  const sampleRate = AAC_RATES[(b2 >> 2) & 0x0f];
  const length =
    ((b3 & 0x03) << 11) | ((bytes[offset + 4] ?? 0) << 3) | ((bytes[offset + 5] ?? 0) >> 5);
  if (sampleRate === undefined || length <= FRAME_HEADER_BYTES) return null;
  return {
    bytes: length,
    samples: 1024 * ((b6 & 0x03) + 1),
    sampleRate,
    channels: ((b2 & 0x01) << 2) | (b3 >> 6),
  };
}

/** Requires a second frame after the first if `head` is long enough. */
export function isFramed(head: Buffer, read: FrameReader): boolean {
  const first = read(head, 0);
  if (first === null) return false;
  return head.length < first.bytes + FRAME_HEADER_BYTES || read(head, first.bytes) !== null;
}
