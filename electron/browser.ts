/** Browser entry: the same services and page, behind a server on 127.0.0.1. */
import { fileURLToPath } from 'node:url';
import type { HostPage } from './browser/host.ts';
import { createStaticFiles } from './browser/pages.ts';
import { serve } from './browser/serve.ts';
import { takeKey } from './gateway-key.ts';
import { parseOptions, usage } from './launch/options.ts';

/** Also for scripts: the report alone goes to standard output. */
async function printSelfCheck(page: HostPage): Promise<void> {
  // For a check that is never over, with nothing left that keeps the process alive.
  process.exitCode = 1;
  const { checkBrowserHost } = await import('./browser/self-check.ts');
  const { report, close } = await checkBrowserHost(page, (line) => console.error(line));
  console.log(JSON.stringify(report, null, 2));
  await close();
  // Threads that do not end must not keep the caller waiting.
  process.exit(report.ok ? 0 : 1);
}

const key = takeKey(process.env);
const options = parseOptions(process.argv.slice(2));
if (typeof options === 'string') {
  console.error(`${options}\n\n${usage}`);
  process.exitCode = 2;
} else {
  // Beside this entry's folder in the build; worked out here, as chunks lie elsewhere.
  const pageFolder = fileURLToPath(new URL('../renderer', import.meta.url));
  const page = { createPage: () => createStaticFiles(pageFolder) };
  // Not awaited: Node warns of a process that ends within a top-level await.
  if (options.checksItself) void printSelfCheck(page);
  else await serve(options, page, key);
}
