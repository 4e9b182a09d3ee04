/**
 * Runs a journey in a real Electron: `real-electron.ts FOLDER [PICTURES]`, where FOLDER holds its
 * binary. In one that is older than the project's, the services run on this Node, behind a bridge.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../fixtures/remove-folder.ts';
import { runJourney } from '../real-electron/journey.ts';
import { prepareProgram } from '../real-electron/prepare-program.ts';

const [folder, pictures = null] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Give the folder of an Electron, such as node_modules/electron/dist.');
  process.exit(2);
}
const workFolder = mkdtempSync(join(tmpdir(), 'gatehouse-electron-'));
try {
  const program = await prepareProgram(folder, workFolder);
  const bridged = program.isBridged ? ', with the services on Node.js behind a bridge' : '';
  console.log(`Electron ${program.version}${bridged}`);
  await runJourney({ program, workFolder, pictures, log: console.log });
  console.log('The journey passed.');
} catch (cause) {
  console.error(cause);
  process.exitCode = 1;
} finally {
  removeFolder(workFolder);
}
