/** Gathers a body that is not a stream. */
import type { ExchangeObserver } from './exchange-types.ts';
import type { Redactor } from './redactor.ts';

export interface DocumentReader {
  write(text: string): void;
  /** Tells the observer and answers the whole text. `cut`: the body did not reach its end. */
  end(cut: boolean): string;
  tooLong(): boolean;
}

/** What the observer gets; a longer text is judged whole but kept only so far. */
const KEPT_LENGTH = 8 * 1024 * 1024;
const LONGEST = 64 * 1024 * 1024;

export function readDocument(
  observer: Pick<ExchangeObserver, 'body'>,
  redactor: Redactor,
  onTooLong: () => void,
): DocumentReader {
  const parts: string[] = [];
  let length = 0;

  return {
    write(text) {
      if (length > LONGEST) return;
      parts.push(text);
      length += text.length;
      if (length > LONGEST) onTooLong();
    },
    tooLong: () => length > LONGEST,
    end(cut) {
      const text = parts.join('').replace(/^\uFEFF/, '');
      const shown = redactor.text(text);
      observer.body(shown.slice(0, KEPT_LENGTH), cut || shown.length > KEPT_LENGTH);
      return shown;
    },
  };
}
