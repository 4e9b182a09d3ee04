/** A JSON number that a JavaScript number would change: an ID above 2^53, `1e400`, nineteen decimals. */
export class ExactNumber {
  /** As JSON spells it. */
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** `JSON.stringify` prints the digits themselves, wherever the number is. */
  toJSON(): unknown {
    return JSON.rawJSON?.(this.source) ?? Number(this.source);
  }

  toString(): string {
    return this.source;
  }
}

/** A number of a request, a reply or the ledger; a plain one wherever that says the same. */
export type JsonNumber = number | ExactNumber;

export function isJsonNumber(value: unknown): value is JsonNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/** To calculate with: the nearest JavaScript number; null for what is not a number or too large to be one. */
export function getNumber(value: unknown): number | null {
  const number = value instanceof ExactNumber ? Number(value.source) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

declare global {
  interface JSON {
    /** Missing in browsers of before 2025: https://tc39.es/proposal-json-parse-with-source/ */
    rawJSON?(source: string): object;
  }
}
