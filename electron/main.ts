/** Starts the desktop app. */
import { fileURLToPath } from 'node:url';
import { startDesktop } from './desktop/start.ts';

// Resolve paths from this entry, because the build puts chunks in another folder.
startDesktop({
  preload: fileURLToPath(new URL('../preload/preload.cjs', import.meta.url)),
  page: fileURLToPath(new URL('../renderer', import.meta.url)),
});
