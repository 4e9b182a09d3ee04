/** Counts JSON values before they are parsed, because a full heap ends the whole process. */

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE, NEWLINE, RETURN] = Buffer.from('"\\,[{\n\r');

/** Returns a function that adds bytes and returns the number of commas and opening brackets. */
export function createValueCounter(): (bytes: Uint8Array) => number {
  let count = 0;
  let isInString = false;
  let isEscaped = false;

  return (bytes) => {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      // No string contains a line break, but other lines of a stream may have a single quote.
      if (byte === NEWLINE || byte === RETURN) isInString = false;
      else if (isInString && isEscaped) isEscaped = false;
      else if (isInString && byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) isInString = !isInString;
      else if (isInString) continue;
      else if (byte === COMMA || byte === BRACKET || byte === BRACE) count += 1;
      if (!isInString) isEscaped = false;
    }
    return count;
  };
}
