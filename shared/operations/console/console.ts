/** Folds Console events into a Console state and describes the state. */

import type { Media } from '../../media.ts';
import { initialPhase, type RunEvent, type RunEventOf } from '../../run.ts';
import type { Operation } from '../operation.ts';
import { emptyResponse, previewLine, streamOrText } from '../response/describe-response.ts';
import { getContentType } from '../response/values.ts';
import type { ConsoleRequest } from './request.ts';

export type ConsoleState = {
  media: Media | null;
  /** The raw document or stream frames of a text response. */
  text: string | null;
  truncated: boolean;
  contentType: string | null;
  status: number | null;
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

/** Limits how much stream text the page receives; the inspector shows every frame. */
const SHOWN_LENGTH = 4 * 1024 * 1024;

function fold(state: ConsoleState, event: RunEvent): ConsoleState {
  switch (event.kind) {
    case 'response':
      return { ...state, status: event.status, contentType: getContentType(event) };
    case 'body':
      return withText({ ...state, truncated: event.truncated }, event.text);
    case 'chunk': {
      const next = { ...state, frameCount: state.frameCount + 1 };
      return next.truncated ? next : withText(next, (state.text ?? '') + writeRawFrame(event));
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

/** Rebuilds the frame in server-sent event format. */
function writeRawFrame({ data, event, comment }: RunEventOf<'chunk'>): string {
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
  hasNewOutput: (before, after) =>
    before.text !== after.text || (before.media === null && after.media !== null),
  figures: () => ({ model: null, usage: null, finishReasons: [] }),
  // Many responses contain nothing but a status.
  noResult: () => null,
  // Only the gateway knows how Console requests are billed.
  quantities: () => ({}),
  rest: () => 'more',
  phase: () => initialPhase,
  response: ({ text }) => ({ ...emptyResponse, text: text ?? '' }),
  codeResponse: ({ media }, sent) => {
    if (media === null) return streamOrText(null, sent);
    const extension = /^[\w.-]+\/(?:x-)?([a-z0-9]+)$/.exec(media.type)?.[1] ?? 'bin';
    return { kind: 'file', name: `response.${extension === 'mpeg' ? 'mp3' : extension}` };
  },
  preview: ({ method, path }) => previewLine(`${method} ${path}`),
};
