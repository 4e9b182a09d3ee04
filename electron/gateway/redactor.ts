/** Finds the key in text, also URL-encoded, JSON-escapePattern and in base64, and takes it out. */
import type { HeaderList } from '../../shared/run.ts';

export const REDACTED = '[redacted]';

/** A shorter secret is an ordinary word, and taking it out would ruin the text. */
const SHORTEST_SECRET = 6;

/** So many first characters may be missing: they can have been shown in an earlier frame. */
export const OPENING_LENGTH = 3;

export interface Redactor {
  text(text: string): string;
  headers(headers: HeaderList): HeaderList;
  /** What `frame-redaction.ts` looks for at the ends of strings; null where nothing is secret. */
  readonly secret: string | null;
}

export function createRedactor(key: string | null): Redactor {
  if (key === null || key.length < SHORTEST_SECRET) {
    return { text: (text) => text, headers: (headers) => headers, secret: null };
  }
  const pattern = secretPattern(key);
  const text = (value: string) => value.replace(pattern, REDACTED);
  return {
    text,
    headers: (headers) => headers.map(([name, value]) => [text(name), text(value)]),
    secret: key,
  };
}

function secretPattern(key: string): RegExp {
  const plain = new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]);
  const alternatives = [
    ...[...plain].map(withOptionalOpening),
    ...base64Forms(key).map(escapePattern),
  ];
  return new RegExp(alternatives.join('|'), 'g');
}

/** Matches all of `form`, and also what is left of it behind a few first characters. */
function withOptionalOpening(form: string): string {
  const length = Math.min(OPENING_LENGTH, form.length - SHORTEST_SECRET);
  const opening = [...form.slice(0, Math.max(length, 0))];
  const rest = escapePattern(form.slice(opening.length));
  return `${opening.reduce((before, char) => `(?:${before}${escapePattern(char)})?`, '')}${rest}`;
}

/**
 * The characters of base64 that the key alone decides, for each of its three alignments: so it is
 * found inside `base64("Bearer " + key)` or `base64("user:" + key)` too.
 */
function base64Forms(key: string): string[] {
  const bytes = Buffer.from(key, 'utf8');
  return [0, 1, 2].flatMap((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const start = shift === 0 ? 0 : 4;
    const end = Math.floor(shifted.length / 3) * 4;
    const form = shifted.toString('base64').slice(start, end);
    if (form.length < SHORTEST_SECRET) return [];
    return [...new Set([form, form.replaceAll('+', '-').replaceAll('/', '_')])];
  });
}

export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
