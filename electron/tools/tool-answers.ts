/** Assembles everything that answers tool calls. */
import type { McpServers } from '../mcp/mcp-servers.ts';
import { createServerCalls } from '../mcp/server-calls.ts';
import { createCallAnswers } from './answer-call.ts';
import { checkArguments } from './check-arguments.ts';
import { createScriptRunner } from './script-runner.ts';
import { createThreads } from './threads.ts';

export function createToolAnswers(mcp: McpServers) {
  const threads = createThreads();
  const answers = createCallAnswers({
    scripts: createScriptRunner(threads),
    servers: createServerCalls(mcp),
    checkArguments: (...input) => checkArguments(threads, ...input),
    clock: () => performance.now(),
  });
  return { ...answers, close: () => threads.close() };
}
