import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { formatElapsed } from '../../lib/format-quantity.ts';

const quietMs = 2000;

const waitingFor: Record<OperationName, string> = {
  chat: 'Waiting for first token…',
  completion: 'Waiting for first token…',
  image: 'Waiting ·',
  video: 'Waiting ·',
  rerank: 'Waiting for ranking…',
  speech: 'Waiting ·',
  transcription: 'Waiting ·',
  console: 'Waiting for response…',
};

interface Pulse {
  operation: OperationName;
  streams: boolean;
  elapsedMs: number;
  quietMs: number;
}

/** Returns `Waiting for first token… 1.2 s` or `Streaming · 9.1 s · no data for 4 s`. */
export function describeProgress(pulse: Pulse): string {
  const elapsed = formatElapsed(pulse.elapsedMs);
  if (!pulse.streams) return `${waitingFor[pulse.operation]} ${elapsed}`;
  if (pulse.operation === 'video') return `In progress · ${elapsed}`;
  const streaming = `Streaming · ${elapsed}`;
  if (pulse.quietMs < quietMs) return streaming;
  return `${streaming} · no data for ${Math.floor(pulse.quietMs / 1000)} s`;
}
