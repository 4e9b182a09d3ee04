/** The console operation: its state, and how events fold into it. */

import type { Media } from '../../media.ts';
import { initialPhase, type RunEvent, type RunEventOf } from '../../run.ts';
import type { Operation } from '../operation.ts';
import { emptyReply, previewLine, streamOrText } from '../response/describe-reply.ts';
import { getContentType } from '../response/values.ts';
import type { ConsoleRequest } from './request.ts';

export type ConsoleState = {
  /** A reply that is not text; there from its first byte on. */
  media: Media | null;
  /** A reply that is text: a document as received, or the frames of a stream as received. */
  text: string | null;
  /** The text is longer than what is kept. */
  truncated: boolean;
  contentType: string | null;
  /** The latest response's head. */
  status: number | null;
  /** Frames of a stream; 0 if the reply was none. */
  frameCount: number;
  upload: { doneBytes: number; totalBytes: number | null } | null;
};

export const emptyConsoleState: ConsoleState = {
  media: null,
  text: null,
  truncated: false,
  contentType: null,
  status: null,
  frameCount: 0,
  upload: null,
};

/** Limits the part of a stream that the page gets; the inspector has all of it. */
const SHOWN_LENGTH = 4 * 1024 * 1024;

function fold(state: ConsoleState, event: RunEvent): ConsoleState {
  switch (event.kind) {
    case 'response':
      return { ...state, status: event.status, contentType: getContentType(event) };
    case 'body':
      return withText({ ...state, truncated: event.truncated }, event.text);
    case 'chunk': {
      const next = { ...state, frameCount: state.frameCount + 1 };
      return next.truncated ? next : withText(next, (state.text ?? '') + rawFrame(event));
    }
    case 'media':
      return { ...state, media: event.media };
    case 'progress':
      return event.direction === 'upload'
        ? { ...state, upload: { doneBytes: event.doneBytes, totalBytes: event.totalBytes } }
        : state;
    default:
      return state;
  }
}

function withText(state: ConsoleState, text: string): ConsoleState {
  const shown = text.slice(0, SHOWN_LENGTH);
  return { ...state, text: shown, truncated: state.truncated || shown.length < text.length };
}

/** The frame's lines again, as a server writes them. */
function rawFrame({ data, event, comment }: RunEventOf<'chunk'>): string {
  if (comment) return `: ${data}\n\n`;
  const lines = data.split('\n').map((line) => `data: ${line}\n`);
  return `${event === null ? '' : `event: ${event}\n`}${lines.join('')}\n`;
}

export const consoleOperation: Operation<ConsoleRequest, ConsoleState> = {
  method: 'POST',
  path: '/',
  draft: {},
  renamable: {},
  followable: false,
  readsLists: false,
  initialState: emptyConsoleState,
  fold,
  produced: (before, after) =>
    before.text !== after.text || (before.media === null && after.media !== null),
  figures: () => ({ model: null, usage: null, finishReasons: [] }),
  // Many requests have no reply but their status.
  noResult: () => null,
  // Only the gateway knows how console requests are billed.
  quantities: () => ({}),
  rest: () => 'more',
  phase: () => initialPhase,
  reply: ({ text }) => ({ ...emptyReply, text: text ?? '' }),
  codeReply: ({ media }, sent) => {
    if (media === null) return streamOrText(null, sent);
    const extension = /^[\w.-]+\/(?:x-)?([a-z0-9]+)$/.exec(media.type)?.[1] ?? 'bin';
    return { kind: 'file', name: `response.${extension === 'mpeg' ? 'mp3' : extension}` };
  },
  preview: ({ method, path }) => previewLine(`${method} ${path}`),
};
