/** Builds from nothing, as `npm start` does on a fresh machine. */
import { buildIfNeeded } from '../../electron/launch/build.ts';

await buildIfNeeded(process.cwd(), console.log);
