/** Entry of the desktop app. */
import { fileURLToPath } from 'node:url';
import { startDesktop } from './desktop/start.ts';

// Relative to this entry in the build; chunks are elsewhere.
startDesktop({
  preload: fileURLToPath(new URL('../preload/preload.cjs', import.meta.url)),
  page: fileURLToPath(new URL('../renderer', import.meta.url)),
});
