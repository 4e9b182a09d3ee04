/** Entry point of the browser version, which serves the page on 127.0.0.1. */
import { fileURLToPath } from 'node:url';
import type { HostPage } from './browser/host.ts';
import { createStaticFiles } from './browser/pages.ts';
import { serve } from './browser/serve.ts';
import { takeKey } from './gateway-key.ts';
import { parseOptions, usage } from './launch/options.ts';

/** Prints only the report to standard output, because scripts parse it. */
async function printSelfCheck(page: HostPage): Promise<void> {
  // This exit code applies if the event loop empties before the check ends.
  process.exitCode = 1;
  const { checkBrowserHost } = await import('./browser/self-check.ts');
  const { report, close } = await checkBrowserHost(page, (line) => console.error(line));
  console.log(JSON.stringify(report, null, 2));
  await close();
  // Exit explicitly, so that hung threads don't block the caller.
  process.exit(report.ok ? 0 : 1);
}

const key = takeKey(process.env);
const options = parseOptions(process.argv.slice(2));
if (typeof options === 'string') {
  console.error(`${options}\n\n${usage}`);
  process.exitCode = 2;
} else {
  // Resolve the path from this entry, because the build puts chunks in another folder.
  const pageFolder = fileURLToPath(new URL('../renderer', import.meta.url));
  const page = { createPage: () => createStaticFiles(pageFolder) };
  // Don't await, because Node warns if a process exits during a top-level await.
  if (options.checksItself) void printSelfCheck(page);
  else await serve(options, page, key);
}
