/** Settings until the user changes them. */
import type { OperationName } from './operations/operation-name.ts';
import type { Settings, Timeouts } from './settings.ts';

export const defaultSettings: Settings = {
  theme: 'system',
  density: 'compact',
  enterSends: false,
  selectedConnectionId: null,
  timeouts: {},
  requestsAtOnce: {},
  dailyCaps: {},
  updateFeedUrl: null,
};

/** Of one connection, for comparisons. */
export const DEFAULT_REQUESTS_AT_ONCE = 3;

/** Generous: slow models think for minutes, and a client's own time-out loses what was paid for. */
const generous: Timeouts = { connectSeconds: 30, firstByteSeconds: 900, stallSeconds: 300 };

export const defaultTimeouts: Record<OperationName, Timeouts> = {
  chat: generous,
  completion: generous,
  image: generous,
  video: generous,
  rerank: generous,
  speech: generous,
  transcription: generous,
  console: generous,
};
