/** Returns the path of the data folder: GATEHOUSE_HOME, or the platform's default. */
import { posix, resolve, win32 } from 'node:path';

interface Surroundings {
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  userHome: string;
}

/** Both hosts share this folder. */
export function getDataFolder({ environment, platform, userHome }: Surroundings): string {
  if (environment.GATEHOUSE_HOME) return resolve(environment.GATEHOUSE_HOME);
  switch (platform) {
    case 'win32':
      return win32.join(
        environment.APPDATA || win32.join(userHome, 'AppData', 'Roaming'),
        'Gatehouse',
      );
    case 'darwin':
      return posix.join(userHome, 'Library', 'Application Support', 'Gatehouse');
    default: {
      // The XDG Base Directory Specification says to ignore relative paths.
      const base = environment.XDG_DATA_HOME;
      const folder = base?.startsWith('/') ? base : posix.join(userHome, '.local', 'share');
      return posix.join(folder, 'gatehouse');
    }
  }
}
