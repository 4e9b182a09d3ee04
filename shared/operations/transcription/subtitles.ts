/**
 * Parses SubRip and WebVTT; hours are optional, the decimal mark may vary, and tags are removed.
 */
import type { TranscriptSegment } from './state.ts';

const STAMP = String.raw`(?:(\d+):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?`;
const TIMING = new RegExp(String.raw`^\s*${STAMP}\s*-+>\s*${STAMP}`);

/** Returns null if the text is neither WebVTT nor SubRip. */
export function detectSubtitleFormat(text: string): 'srt' | 'vtt' | null {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  if (/^WEBVTT(?:\s|$)/.test(start)) return 'vtt';
  const [first = '', second = ''] = start.slice(0, 500).split(/\r\n|\r|\n/, 2);
  return TIMING.test(first) || (/^\d+$/.test(first.trim()) && TIMING.test(second)) ? 'srt' : null;
}

/** Skips unreadable cues; a cue without a number uses its position as the ID. */
export function readSubtitles(text: string): TranscriptSegment[] {
  const blocks = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n[^\S\n]*\n/);
  const segments: TranscriptSegment[] = [];
  for (const block of blocks) {
    if (NOT_CUES.test(block)) continue;
    const lines = block.split('\n');
    for (let at = findTiming(lines, 0); at !== -1; ) {
      const next = findTiming(lines, at + 1);
      segments.push(readCue(lines, at, next, segments.length));
      at = next;
    }
  }
  return segments;
}

const NOT_CUES = /^\s*(?:NOTE|STYLE|REGION)\b/;
const NUMBER = /^\s*\d{1,9}\s*$/;

function findTiming(lines: string[], from: number): number {
  return lines.findIndex((line, index) => index >= from && TIMING.test(line));
}

/** `next` is the timing line of a cue that follows without a blank line, or -1. */
function readCue(lines: string[], at: number, next: number, position: number): TranscriptSegment {
  const [, ...stamps] = TIMING.exec(lines[at] ?? '') ?? [];
  const number = lines[at - 1] ?? '';
  const isNumbered = next > at + 1 && NUMBER.test(lines[next - 1] ?? '');
  const end = next === -1 ? lines.length : isNumbered ? next - 1 : next;
  return {
    id: NUMBER.test(number) ? Number(number) : position,
    start: toSeconds(stamps.slice(0, 4)),
    end: toSeconds(stamps.slice(4, 8)),
    text: toPlainText(lines.slice(at + 1, end).join(' ')),
  };
}

function toSeconds([hours = '0', minutes = '0', whole = '0', fraction = '0']: (
  | string
  | undefined
)[]): number {
  const milliseconds = Number(fraction.padEnd(3, '0'));
  const inWhole = Number(hours) * 3600 + Number(minutes) * 60 + Number(whole);
  return (inWhole * 1000 + milliseconds) / 1000;
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': ' ',
  '&quot;': '"',
  '&#39;': "'",
};

/** Removes voice, class and style tags, inline timestamps, and SubRip's `{\an8}`. */
function toPlainText(text: string): string {
  return text
    .replace(/<\/?(?:[a-z][^<>]*|\d[\d:.,]*)>|\{\\[^{}]*\}/gi, '')
    .replace(/&(?:amp|lt|gt|nbsp|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}
