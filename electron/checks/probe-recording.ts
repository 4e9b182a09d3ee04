/** Stores the recording that a probe has transcribed: a sentence of the demo gateway's voice. */
import { runJob } from '../demo/studio/studio.ts';
import type { MediaStore } from '../media/media-store.ts';

const plan = {
  text: 'The harbor is open from six in the morning to nine at night.',
  voice: 'alloy',
  speed: 1,
  format: 'wav',
  line: 'studio',
} as const;

/** Making it takes a second. */
const LIMIT_MS = 60_000;

/** Returns the ID of the new media item; throws a `UserFacingError` if it can't be stored. */
export async function storeProbeRecording(media: Pick<MediaStore, 'begin'>): Promise<string> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  const writer = media.begin({ name: 'probe.wav', declaredType: 'audio/wav', role: 'check' });
  try {
    for await (const { bytes } of runJob({ kind: 'speech', plan }, signal)) {
      await writer.write(bytes);
    }
    const { id } = await writer.finish();
    return id;
  } catch (cause) {
    await writer.abort();
    throw cause;
  }
}
