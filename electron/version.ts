/** The application's version and ID. */
import manifest from '../package.json' with { type: 'json' };

export const { version } = manifest;

/** AppUserModelID on Windows; keep in sync with package.json and electron-builder.yml. */
export const APP_ID = 'dev.gatehouse.app';
