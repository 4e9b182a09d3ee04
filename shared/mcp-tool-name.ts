/** Names the tools of MCP servers so that every model accepts them. */

const MAX_NAME_LENGTH = 64;
const PLAIN = /^[A-Za-z0-9_-]+$/;
/** A plain name that ends like this gets a hash too, so that it can't pose as another tool. */
const TAIL = /_[0-9a-z]{11}$/;
const TAIL_LENGTH = 12;

/**
 * Returns the name that models see, such as `files__read`: at most 64 letters, digits, - and _. A
 * truncated, changed or ambiguous name ends in a hash of both names.
 */
export function getMcpToolName(serverName: string, toolName: string): string {
  const joined = `${serverName}__${toolName}`;
  const isExact =
    PLAIN.test(serverName) &&
    PLAIN.test(toolName) &&
    joined.length <= MAX_NAME_LENGTH &&
    !TAIL.test(joined) &&
    joined.indexOf('__') === serverName.length &&
    !serverName.endsWith('_') &&
    !toolName.startsWith('_');
  if (isExact) return joined;
  const readable = joined.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  const tail = hashText(JSON.stringify([serverName, toolName]));
  return `${readable.slice(0, MAX_NAME_LENGTH - TAIL_LENGTH)}_${tail}`;
}

/** Hashes with cyrb53 by bryc (public domain): 53 bits as eleven characters. */
function hashText(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  const hash = 4294967296 * (2097151 & low) + (high >>> 0);
  return hash.toString(36).padStart(11, '0');
}
