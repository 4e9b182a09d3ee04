/** The main script for an Electron that is older than the project's. */
import './polyfills.ts';
import { join } from 'node:path';
import { clipboard } from 'electron';
import { startDesktop } from '../../electron/desktop/start.ts';

// It returned nothing before Electron 44.
const writeText = clipboard.writeText.bind(clipboard);
clipboard.writeText = async (text) => void writeText(text);

startDesktop({
  preload: join(__dirname, 'preload.cjs'),
  page: join(__dirname, 'renderer'),
});
