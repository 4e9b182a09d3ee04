/** Recognizes and reads a request in pasted text: shell commands, `fetch()`, HAR and bodies. */
import { parseJson } from '../parse-json.ts';
import { readBash } from './bash-words.ts';
import { readCmd } from './cmd-words.ts';
import { detectTarget, type PastedTarget } from './detect-target.ts';
import { type PastedRequest, PastedTextError } from './pasted-request.ts';
import { readCurls } from './read-curl.ts';
import { readFetches } from './read-fetch.ts';
import { readHar } from './read-har.ts';
import { readPowerShellRequests } from './read-powershell.ts';
import { findLanguage, type Language } from './recognize-request.ts';
import { takeSecrets, type WithoutSecrets } from './take-secrets.ts';

export interface PastedText extends WithoutSecrets {
  /** Null if only the Console can send the request. */
  target: PastedTarget | null;
  /** The number of other requests in the text. */
  others: number;
}

export type PastedResult =
  | { kind: 'request'; pasted: PastedText }
  | { kind: 'problem'; message: string };

export const MAX_PASTED_LENGTH = 64 * 1024 * 1024;

/** Returns null for text that isn't a request, such as other JSON or a question about curl. */
export function readPasted(text: string): PastedResult | null {
  const language = findLanguage(text);
  if (language === null) return null;
  if (text.length > MAX_PASTED_LENGTH) {
    return { kind: 'problem', message: 'The pasted request is too long. The limit is 64 MiB.' };
  }
  try {
    return choose(readRequests(text, language).filter(hasUrl));
  } catch (error) {
    if (!(error instanceof PastedTextError)) throw error;
    // A question about curl isn't a broken command.
    return text.includes('://') ? { kind: 'problem', message: error.message } : null;
  }
}

const BASH_PROMPT = /^[ \t]*[$%>][ \t]+(?=curl[ \t])/gm;
const POWERSHELL_PROMPT = /^PS [^>\n]{0,200}>[ \t]?/gm;

function readRequests(text: string, language: Language): PastedRequest[] {
  switch (language) {
    case 'bash':
      return readCurls(readBash(text.replace(BASH_PROMPT, '')));
    case 'cmd':
      return readCurls(readCmd(text));
    case 'powershell':
      return readPowerShellRequests(text.replace(POWERSHELL_PROMPT, ''));
    case 'javascript':
      return readFetches(text);
    case 'json':
      return readJson(text);
  }
}

function readJson(text: string): PastedRequest[] {
  const value = parseJson(text);
  if (value === undefined) return [];
  const archived = readHar(value);
  if (archived !== null) return archived;
  const body = { kind: 'json' as const, value };
  if (detectTarget('POST', null, body) === null) return [];
  return [{ source: 'body', method: 'POST', url: null, headers: [], body, notes: [] }];
}

/** Rejects words of a sentence; the host may be a variable. */
const URL = /^(?:https?:\/\/|["']?[$%{<]|localhost\b|(?:[\w-]+\.)+[\w-]+(?:[:/]|$))/i;

function hasUrl({ url }: PastedRequest): boolean {
  return url === null || URL.test(url);
}

/** Chooses the first request that a panel can send, or else the first. */
function choose(requests: readonly PastedRequest[]): PastedResult | null {
  const targets = requests.map(({ method, url, body }) => detectTarget(method, url, body));
  const index = Math.max(
    targets.findIndex((target) => target !== null),
    0,
  );
  const request = requests[index];
  if (request === undefined) return null;
  const pasted = { ...takeSecrets(request), target: targets[index] ?? null };
  return { kind: 'request', pasted: { ...pasted, others: requests.length - 1 } };
}
