/** Builds from scratch, like `npm start` on a new machine. */
import { buildIfNeeded } from '../../electron/launch/build.ts';

await buildIfNeeded(process.cwd(), console.log);
