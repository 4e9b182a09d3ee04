/** Keeps the latest lines of each MCP server's log in memory. */
import type { McpLogLine } from '../../shared/mcp.ts';
import { removeControls } from '../../shared/remove-controls.ts';

const MAX_LINES = 500;
const MAX_LINE_LENGTH = 4096;

export interface ServerLog {
  /** Masks secrets and shortens a long line. */
  add(from: McpLogLine['from'], text: string): void;
  /** Returns the latest lines, oldest first. */
  list(): McpLogLine[];
}

export function createServerLog(now: () => number, redact: (text: string) => string): ServerLog {
  const lines: McpLogLine[] = [];
  return {
    add(from: McpLogLine['from'], text: string): void {
      lines.push({ at: now(), from, text: redact(cleanOutput(text)).slice(0, MAX_LINE_LENGTH) });
      if (lines.length > MAX_LINES) lines.splice(0, lines.length - MAX_LINES);
    },
    list: (): McpLogLine[] => [...lines],
  };
}

/** Removes terminal colors, control characters, and characters that reverse text. */
export function cleanOutput(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: servers print them.
  return removeControls(text.replaceAll(/\x1b\[[0-9;]*[A-Za-z]/g, ''));
}
