/** Which paths the console may call: those under the connection's base URL, as they are written. */

const BLANK = /\s|\p{Cc}/u;
/** What a URL parser takes for a step up, also where it is written by its numbers. */
const STEP = /^(?:\.|%2e){1,2}$/i;

/** What is wrong with `path` as a sentence for its field; null if nothing is. */
export function consolePathProblem(path: string): string | null {
  if (path === '') return 'Enter a path such as /v1/models.';
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || /^[/\\]{2}/.test(path)) {
    return 'Enter a path under the base URL, not a full URL. The key is sent nowhere else.';
  }
  if (!path.startsWith('/')) return 'Start the path with a slash, such as /v1/models.';
  if (path.includes('\\')) return 'A path cannot contain a backslash. Use / or %5C.';
  if (BLANK.test(path)) return 'A path cannot contain spaces or line breaks. Use %20 for a space.';
  if (path.includes('#')) return 'Text after # is not sent. Use %23 for the # character.';
  const [segments = ''] = path.split('?', 1);
  if (segments.split('/').some((segment) => STEP.test(segment))) {
    return 'A path cannot contain . or .. segments.';
  }
  return null;
}
