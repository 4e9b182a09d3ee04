/** The icon of a Gatehouse that is run from its source: Electron's own binary would show Electron's. */
import { join } from 'node:path';
import type { App } from 'electron';

/** Null if the packaged program carries its icon itself. */
export function iconFile(
  app: Pick<App, 'isPackaged' | 'getAppPath'>,
  platform: NodeJS.Platform,
): string | null {
  if (app.isPackaged) return null;
  return join(
    app.getAppPath(),
    'electron',
    'resources',
    platform === 'win32' ? 'icon.ico' : 'icon.png',
  );
}
