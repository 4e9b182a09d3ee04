/** Downloads the audio of a speech response that contains only a URL. */
import type { Media } from '../../shared/media.ts';
import { UNKNOWN_TYPE } from '../media/sniff.ts';
import type { RunResult } from '../runs/ending.ts';
import type { RunContext } from '../runs/run-context.ts';
import { fetchFile } from './fetch-file.ts';

/** The file may become available a few seconds after the response. */
const PAUSES_MS = [1000, 2000, 4000];

const STEPS = {
  name: 'The audio',
  look: 'Open the inspector to see the response.',
  renew: 'Open the inspector to copy the link, or run again to make new audio.',
  again: 'run again to make new audio',
};

export async function fetchAudio(context: RunContext, url: string): Promise<RunResult> {
  const fetch = () =>
    fetchFile(context, url, { wanted: 'audio', stem: 'speech', isWanted: isAudio, steps: STEPS });
  let got = await fetch();
  for (const pauseMs of PAUSES_MS) {
    if (got.kind !== 'missing') break;
    await context.pause(pauseMs);
    if (context.signal.aborted) break;
    got = await fetch();
  }
  return got.ending;
}

/** Raw samples have no signature. */
function isAudio({ kind, type, complete }: Media): boolean {
  return complete && (kind === 'audio' || type === UNKNOWN_TYPE);
}
