/** Polls a video task at the URLs that may return its status. */
import { isTaskLink } from '../../shared/operations/video/state.ts';
import { harvestMedia } from './harvest-media.ts';
import type { FinishedExchange, RunContext } from './run-context.ts';

/** A path under the base URL, or a full URL from a response. */
export type PollTarget = string | URL;

/**
 * Returns the most likely URLs first. A cross-origin URL comes last, because it may not accept
 * requests without the key.
 */
export function getPollTargets(
  { resolve, isOwn }: Pick<RunContext, 'resolve' | 'isOwn'>,
  taskId: string,
  pollingUrl: string | null,
  taskPath: string,
): PollTarget[] {
  const url = pollingUrl === null ? null : resolve(pollingUrl);
  const named = url === null ? [] : [url];
  const paths = isTaskLink(taskId) ? [] : listPaths(taskId, taskPath);
  return pollingUrl !== null && isOwn(pollingUrl) ? [...named, ...paths] : [...paths, ...named];
}

/** A Gemini operation name is a path, which some gateways serve like the Gemini API does. */
function listPaths(taskId: string, taskPath: string): string[] {
  const fill = (id: string) => taskPath.replaceAll('{id}', () => id);
  const whole = fill(encodeURIComponent(taskId));
  if (!taskId.includes('/')) return [whole];
  const name = taskId.split('/').map(encodeURIComponent).join('/');
  return [whole, fill(name), `/v1beta/${name}`];
}

/**
 * Tries targets until one isn't rejected and moves it first; otherwise returns the first response.
 */
export async function pollTask(
  context: RunContext<'video'>,
  targets: PollTarget[],
  isRejected: (response: FinishedExchange) => boolean,
): Promise<FinishedExchange> {
  let first: FinishedExchange | null = null;
  for (const [at, path] of [...targets.entries()]) {
    const response = await context.send({
      method: 'GET',
      path,
      headers: [],
      body: null,
      harvest: harvestMedia,
      accepts: 'json-list',
    });
    first ??= response;
    if (context.signal.aborted || !isRejected(response)) {
      targets.splice(at, 1);
      targets.unshift(path);
      return response;
    }
  }
  if (first === null) throw new TypeError('The task has no address.');
  return first;
}

/** Returns the paths where the gateway may serve the file of a task without a URL. */
export function getContentAddresses(target: PollTarget | undefined, taskId: string): string[] {
  const beside = (name: string) => (target === undefined ? [] : [`${getAddress(target)}/${name}`]);
  const named = isTaskLink(taskId) ? [] : [getNamedContent(taskId)];
  return [...new Set([...beside('content'), ...named, ...beside('download')])];
}

/** Returns the path of another file of a finished video, such as its thumbnail. */
export function getVariantAddress(taskId: string, variant: string): string {
  return `${getNamedContent(taskId)}?variant=${encodeURIComponent(variant)}`;
}

function getNamedContent(taskId: string): string {
  return `v1/videos/${encodeURIComponent(taskId)}/content`;
}

/** Returns a path without a leading slash, because links are resolved under the base URL's path. */
export function getAddress(target: PollTarget): string {
  const path = target instanceof URL ? target.origin + target.pathname : target;
  return path.replace(/^\/|\/$/g, '');
}
