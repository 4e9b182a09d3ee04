/** Exports the version and the ID of the application. */
import manifest from '../package.json' with { type: 'json' };

export const { version } = manifest;

/** Windows uses this AppUserModelID; package.json and electron-builder.yml repeat the ID. */
export const APP_ID = 'dev.gatehouse.app';
