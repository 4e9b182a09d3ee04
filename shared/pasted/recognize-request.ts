/** Recognizes requests by the start of a text, without the code that reads them. */
import { startsAsJson } from '../json.ts';

export type Language = 'bash' | 'cmd' | 'powershell' | 'javascript' | 'json';

/** Lines before a command that set it up, such as comments and assignments. */
const SETUP_LINE =
  /^\s*(?:#|\/\/|rem\b|export\s|set\s|cd\s|\$[\w:.[\]"'-]+\s*=|\[[\w.]+\](?:::|\$)\w+\s*=|[A-Z_][A-Z\d_]*=|cat\s*(?:>|<<)|(?:const|let|var)\s|import\s|\$ProgressPreference|[)}\]'"@;,]*\s*$)/i;
const PROMPT = /^\s*(?:[$>%]\s+|PS [^>]{0,200}>\s*|[A-Z]:\\[^>]{0,200}>\s*)/i;
const CURL = /^(?:[A-Z_]\w*=\S{1,500}\s+){0,5}(?:\S{0,100}[\\/])?curl(?:\.exe)?(?:\s|$)/i;
const INVOKE = /^(?:\$\w+\s*=\s*)?(?:Invoke-RestMethod|Invoke-WebRequest|irm|iwr)(?:\s|$)/i;
const FETCH = /^(?:(?:const|let|var)\s+\w+\s*=\s*|return\s+)?(?:await\s+)?(?:\w+\.)?fetch\s*\(/;
const MAX_SETUP_LINES = 2000;

/**
 * Checks only the first lines, so that text about a command isn't mistaken for one. Returns null
 * for text that isn't a request.
 */
export function findLanguage(text: string): Language | null {
  if (startsAsJson(text)) return 'json';
  let isCode = false;
  for (let at = 0, count = 0; at < text.length && count < MAX_SETUP_LINES; count += 1) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, Math.min(end === -1 ? text.length : end, at + 2000));
    const command = line.replace(PROMPT, '').trim();
    if (CURL.test(command)) return findShell(text.slice(at));
    if (INVOKE.test(command)) return 'powershell';
    if (FETCH.test(command)) return 'javascript';
    if (!SETUP_LINE.test(command) && !isCode) return null;
    // The literals of assignments span lines.
    isCode ||= /[{(['"`@]\s*$|=\s*\S/.test(line);
    if (end === -1) return null;
    at = end + 1;
  }
  return null;
}

/** Detects the shell by the marks that continue a line or escape a quote. */
function findShell(command: string): Language {
  if (/[ \t]\\\r?\n|\$'|'\\''/.test(command)) return 'bash';
  // In bash, `^"` may be text inside single quotes, which cmd doesn't have.
  if (/\^\r?\n|^[^']*\^"/.test(command)) return 'cmd';
  if (/`\r?\n|\$env:|@['"]\r?\n/i.test(command)) return 'powershell';
  const [line = ''] = command.split('\n', 1);
  return /^[^'"\s]*curl\.exe\s.*'|\s-(?:Uri|Method|Headers|Body)\s/i.test(line.trim())
    ? 'powershell'
    : 'bash';
}

/** Every request, body and HTTP archive has at least one of these fields. */
const REQUEST_FIELD = /"(?:messages|contents|input|prompt|documents|entries|request|headers)"\s*:/;

/** Returns false for text that isn't a request; only `readPasted` can confirm that it is one. */
export function mayBeRequest(text: string): boolean {
  const language = findLanguage(text);
  return language !== null && (language !== 'json' || REQUEST_FIELD.test(text));
}
