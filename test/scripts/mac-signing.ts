/** Whose signature a macOS build gets: the certificate there is, or none but the mark that arm64 Macs demand. */
import { execFileSync } from 'node:child_process';

export interface SigningSurroundings {
  platform: NodeJS.Platform;
  environment: NodeJS.ProcessEnv;
  /** What the user gave to `npm run package`. */
  flags: readonly string[];
  /** What `security find-identity -v -p codesigning` prints; asked only where it matters. */
  identities: () => string;
}

/**
 * Flags for electron-builder. With a certificate there are none: electron-builder finds it by itself. Without one it
 * would sign nothing, and `identity: "-"` in its configuration would sign ad hoc also where there is one.
 */
export function signingFlags({
  platform,
  environment,
  flags,
  identities,
}: SigningSurroundings): string[] {
  if (platform !== 'darwin' || flags.some((flag) => flag.includes('mac.identity='))) return [];
  const { CSC_LINK, CSC_NAME, CSC_IDENTITY_AUTO_DISCOVERY } = environment;
  // A secret that is not set is an empty text in most CI systems.
  if (CSC_LINK || CSC_NAME) return [];
  const mayLook = CSC_IDENTITY_AUTO_DISCOVERY !== 'false';
  // Certificates for development do not open the app on another Mac.
  if (mayLook && identities().includes('Developer ID Application:')) return [];
  return ['-c.mac.identity=-'];
}

export function keychainIdentities(): string {
  try {
    return execFileSync('/usr/bin/security', ['find-identity', '-v', '-p', 'codesigning'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
