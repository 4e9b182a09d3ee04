/** Chooses the signature of a macOS build: the available certificate, or an ad hoc one for arm64 Macs. */
import { execFileSync } from 'node:child_process';

export interface SigningSurroundings {
  platform: NodeJS.Platform;
  environment: NodeJS.ProcessEnv;
  /** Environment and flags of `npm run package`. */
  flags: readonly string[];
  /** The output of `security find-identity -v -p codesigning`, read only if needed. */
  identities: () => string;
}

/**
 * Flags for electron-builder. With a certificate there are none, because it finds it by itself. Without one,
 * `identity: "-"` signs ad hoc; in the configuration it would also replace a certificate.
 */
export function signingFlags({
  platform,
  environment,
  flags,
  identities,
}: SigningSurroundings): string[] {
  if (platform !== 'darwin' || flags.some((flag) => flag.includes('mac.identity='))) return [];
  const { CSC_LINK, CSC_NAME, CSC_IDENTITY_AUTO_DISCOVERY } = environment;
  // Most CI systems pass an unset secret as an empty text.
  if (CSC_LINK || CSC_NAME) return [];
  const mayLook = CSC_IDENTITY_AUTO_DISCOVERY !== 'false';
  // Certificates for development don't open the app on another Mac.
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
