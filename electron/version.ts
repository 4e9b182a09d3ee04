/** The version and the ID of the application. */
import manifest from '../package.json' with { type: 'json' };

export const { version } = manifest;

/** The AppUserModelID on Windows; package.json and electron-builder.yml repeat it for Linux and macOS. */
export const APP_ID = 'dev.gatehouse.app';
