/** Desktop entry. */
import { fileURLToPath } from 'node:url';
import { startDesktop } from './desktop/start.ts';

// Beside this entry's folder in the build; worked out here, as chunks lie elsewhere.
startDesktop({
  preload: fileURLToPath(new URL('../preload/preload.cjs', import.meta.url)),
  page: fileURLToPath(new URL('../renderer', import.meta.url)),
});
