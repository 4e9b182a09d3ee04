/** Chooses how to sign a macOS build: with the available certificate, or ad hoc for arm64 Macs. */
import { execFileSync } from 'node:child_process';

export interface SigningSurroundings {
  platform: NodeJS.Platform;
  environment: NodeJS.ProcessEnv;
  /** The flags passed to `npm run package`. */
  flags: readonly string[];
  /** Returns the output of `security find-identity -v -p codesigning`. Called only if needed. */
  identities: () => string;
}

/**
 * Returns electron-builder's signing flags: none if there is a certificate, because it finds one
 * itself. Otherwise `identity: "-"` signs ad hoc; in the configuration file, it would also override
 * a certificate.
 */
export function signingFlags({
  platform,
  environment,
  flags,
  identities,
}: SigningSurroundings): string[] {
  if (platform !== 'darwin' || flags.some((flag) => flag.includes('mac.identity='))) return [];
  const { CSC_LINK, CSC_NAME, CSC_IDENTITY_AUTO_DISCOVERY } = environment;
  // Most CI systems pass an unset secret as an empty string.
  if (CSC_LINK || CSC_NAME) return [];
  const mayLook = CSC_IDENTITY_AUTO_DISCOVERY !== 'false';
  // Apps signed with development certificates don't open on another Mac.
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
