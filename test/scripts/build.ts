/** Builds from scratch, as `npm start` does on a new machine. */
import { buildIfNeeded } from '../../electron/launch/build.ts';

await buildIfNeeded(process.cwd(), console.log);
