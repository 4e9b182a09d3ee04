/** Starts the desktop app. */
import { fileURLToPath } from 'node:url';
import { startDesktop } from './desktop/start.ts';

// The build puts chunks in another folder, so paths are relative to this entry.
startDesktop({
  preload: fileURLToPath(new URL('../preload/preload.cjs', import.meta.url)),
  page: fileURLToPath(new URL('../renderer', import.meta.url)),
});
