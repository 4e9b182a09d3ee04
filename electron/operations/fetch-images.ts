/** Downloads the images of a response that has only their URLs. */
import type { Media } from '../../shared/media.ts';
import { executeJson } from './execute-json.ts';
import { fetchFile } from './fetch-file.ts';
import type { RunContext } from './run-context.ts';
import type { RunResult } from './run-result.ts';

const STEPS = {
  name: 'The image',
  look: 'Open the inspector to see the response.',
  renew: 'Open the inspector to copy the link, or run again to make a new image.',
  again: 'run again to make a new image',
};

/** Only the Images format has a field that asks for URLs. */
export async function executeImage(context: RunContext<'image'>): Promise<RunResult> {
  const done = await executeJson(context);
  if (done.status !== 'succeeded' || context.view().format === undefined) return done;
  let failed: RunResult | null = null;
  for (const url of listLinks(context)) {
    const { ending } = await fetchFile(context, url, {
      wanted: 'an image',
      stem: 'image',
      steps: STEPS,
      isWanted: isImage,
    });
    if (ending.status === 'cancelled') return ending;
    // One expired link mustn't lose the other images.
    if (ending.status !== 'succeeded') failed ??= ending;
  }
  return failed ?? done;
}

function listLinks(context: RunContext<'image'>): string[] {
  const { candidates } = context.view().state;
  const parts = candidates.flatMap(({ parts: all }) => all);
  return [...new Set(parts.flatMap((part) => (part.type === 'link' ? [part.url] : [])))];
}

function isImage({ kind, complete }: Media): boolean {
  return complete && kind === 'image';
}
