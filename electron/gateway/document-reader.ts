/** Gathers a body that is not a stream. */
import type { ExchangeObserver } from './exchange-types.ts';
import type { Redactor } from './redactor.ts';

export interface DocumentReader {
  write(text: string): void;
  /** Hands the observer the whole text and returns it. `cut`: the body did not reach its end. */
  end(cut: boolean): Promise<string>;
  tooLong(): boolean;
}

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
    async end(cut) {
      const text = parts.join('').replace(/^\uFEFF/, '');
      const shown = redactor.text(text);
      await observer.body(shown.slice(0, LONGEST), cut || length > LONGEST);
      return shown;
    },
  };
}
