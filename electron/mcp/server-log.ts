/** Keeps the latest lines of each MCP server's log in memory. */
import type { McpLogLine } from '../../shared/mcp.ts';

const MAX_LINES = 500;
const MAX_LINE_LENGTH = 4096;

export type ServerLog = ReturnType<typeof createServerLog>;

export function createServerLog(now: () => number, redact: (text: string) => string) {
  const lines: McpLogLine[] = [];
  return {
    add(from: McpLogLine['from'], text: string): void {
      lines.push({ at: now(), from, text: clean(redact(text)).slice(0, MAX_LINE_LENGTH) });
      if (lines.length > MAX_LINES) lines.splice(0, lines.length - MAX_LINES);
    },
    list: (): McpLogLine[] => [...lines],
  };
}

/** Removes terminal colors and other control characters. */
function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: servers print them.
  return text.replaceAll(/\x1b\[[0-9;]*[A-Za-z]/g, '').replaceAll(/[^\P{Cc}\n\t]/gu, '');
}
