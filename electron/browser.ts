/** Browser entry: the same services and page, behind a server on 127.0.0.1. */
import { fileURLToPath } from 'node:url';
import { createStaticFiles } from './browser/pages.ts';
import { serve } from './browser/serve.ts';
import { parseOptions, usage } from './launch/options.ts';

const options = parseOptions(process.argv.slice(2));
if (typeof options === 'string') {
  console.error(`${options}\n\n${usage}`);
  process.exitCode = 2;
} else {
  // Beside this entry's folder in the build; worked out here, as chunks lie elsewhere.
  const pageFolder = fileURLToPath(new URL('../renderer', import.meta.url));
  await serve(options, { createPage: () => createStaticFiles(pageFolder) });
}
