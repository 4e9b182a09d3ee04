import { assertNever } from '../../../../shared/assert-never.ts';
import type { Exchange, ExchangeEnding } from '../../../../shared/exchange.ts';

export interface ExchangeState {
  /** `200 · in_progress`, `503`, `Interrupted`. */
  words: string;
  tone: 'going' | 'good' | 'bad' | 'open';
}

/** How an exchange stands or ended, in a few words. */
export function exchangeState({ status, taskWord, ending }: Exchange): ExchangeState {
  if (ending === null)
    return { words: status === null ? 'Waiting…' : `${status} …`, tone: 'going' };
  const told = endingWords(ending, status);
  const words = [status, taskWord, told].filter((word) => word !== null).join(' · ');
  return { words, tone: toneOf(ending) };
}

/** Null where the status says it. */
function endingWords({ status: ending }: ExchangeEnding, status: number | null): string | null {
  switch (ending) {
    case 'succeeded':
      return null;
    case 'failed':
      return status !== null && status >= 400 ? null : 'Failed';
    case 'cancelled':
      return 'Stopped';
    case 'unknown':
      return 'Outcome unknown';
    case 'interrupted':
      return 'Interrupted';
    default:
      return assertNever(ending);
  }
}

function toneOf({ status }: ExchangeEnding): ExchangeState['tone'] {
  if (status === 'succeeded') return 'good';
  return status === 'failed' ? 'bad' : 'open';
}
