/** Starts the browser version, which serves the page on 127.0.0.1. */
import { fileURLToPath } from 'node:url';
import type { HostPage } from './browser/host.ts';
import { createStaticFiles } from './browser/pages.ts';
import { serve } from './browser/serve.ts';
import { takeKey } from './gateway-key.ts';
import { parseOptions, usage } from './launch/options.ts';

/** Scripts parse standard output, which has only the report. */
async function printSelfCheck(page: HostPage): Promise<void> {
  // The code applies if the check never ends and nothing keeps the process alive.
  process.exitCode = 1;
  const { checkBrowserHost } = await import('./browser/self-check.ts');
  const { report, close } = await checkBrowserHost(page, (line) => console.error(line));
  console.log(JSON.stringify(report, null, 2));
  await close();
  // Threads that don't end must not block the caller.
  process.exit(report.ok ? 0 : 1);
}

const key = takeKey(process.env);
const options = parseOptions(process.argv.slice(2));
if (typeof options === 'string') {
  console.error(`${options}\n\n${usage}`);
  process.exitCode = 2;
} else {
  // The build puts chunks in another folder, so the path is relative to this entry.
  const pageFolder = fileURLToPath(new URL('../renderer', import.meta.url));
  const page = { createPage: () => createStaticFiles(pageFolder) };
  // Node warns if a process ends during a top-level await, so the promise isn't awaited.
  if (options.checksItself) void printSelfCheck(page);
  else await serve(options, page, key);
}
