/** Recognises MPEG and ADTS frames, which have no signature but a header that must repeat. */

const AAC_RATES = 13;
/** kbit/s by index for MPEG 1 and 2, layer III; other layers are not sent by gateways. */
const MPEG1_KBITS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const MPEG2_KBITS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATES = [44_100, 48_000, 32_000];

/** AAC in ADTS frames. */
export function isAdts(head: Buffer): boolean {
  const length = adtsFrameBytes(head, 0);
  return length !== null && repeats(head, length, adtsFrameBytes);
}

/** MP3 without an ID3 tag before it. */
export function isMpegAudio(head: Buffer): boolean {
  const length = mpegFrameBytes(head, 0);
  return length !== null && repeats(head, length, mpegFrameBytes);
}

/** A second frame must follow where the head reaches that far. */
function repeats(
  head: Buffer,
  length: number,
  frameBytes: (head: Buffer, offset: number) => number | null,
): boolean {
  return head.length < length + 7 || frameBytes(head, length) !== null;
}

function adtsFrameBytes(head: Buffer, offset: number): number | null {
  if (head.length < offset + 7) return null;
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0, b4 = 0, b5 = 0] = head.subarray(offset, offset + 6);
  if (b0 !== 0xff || (b1 & 0xf6) !== 0xf0) return null;
  if (((b2 >> 2) & 0x0f) >= AAC_RATES) return null;
  const length = ((b3 & 0x03) << 11) | (b4 << 3) | (b5 >> 5);
  return length > 7 ? length : null;
}

function mpegFrameBytes(head: Buffer, offset: number): number | null {
  if (head.length < offset + 4) return null;
  const [b0 = 0, b1 = 0, b2 = 0] = head.subarray(offset, offset + 3);
  if (b0 !== 0xff || (b1 & 0xe0) !== 0xe0) return null;
  const version = (b1 >> 3) & 0x03;
  const isLayer3 = ((b1 >> 1) & 0x03) === 1;
  if (version === 1 || !isLayer3) return null;
  const isMpeg1 = version === 3;
  const kbits = (isMpeg1 ? MPEG1_KBITS : MPEG2_KBITS)[b2 >> 4];
  const rate = RATES[(b2 >> 2) & 0x03];
  if (!kbits || rate === undefined) return null;
  const sampleRate = isMpeg1 ? rate : rate / (version === 2 ? 2 : 4);
  const padding = (b2 >> 1) & 0x01;
  return Math.floor(((isMpeg1 ? 144_000 : 72_000) * kbits) / sampleRate) + padding;
}
