/** Represents a JSON number that a JavaScript number would round, such as an ID above 2^53. */
export class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** `JSON.stringify` writes the exact digits at any depth. */
  toJSON(): unknown {
    return JSON.rawJSON?.(this.source) ?? Number(this.source);
  }

  toString(): string {
    return this.source;
  }
}

/** A JSON number; `ExactNumber` only if a JavaScript number would lose digits. */
export type JsonNumber = number | ExactNumber;

export function isJsonNumber(value: unknown): value is JsonNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/** Returns the nearest JavaScript number; null if the value is not a finite number. */
export function getNumber(value: unknown): number | null {
  const number = value instanceof ExactNumber ? Number(value.source) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

declare global {
  interface JSON {
    /** Browsers before 2025 lack it: https://tc39.es/proposal-json-parse-with-source/ */
    rawJSON?(source: string): object;
  }
}
