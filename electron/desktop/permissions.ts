/** Allows the page to use the microphone, write to the clipboard and enter full screen. */
import type { Session, systemPreferences } from 'electron';
import { isPageOrigin } from './page-protocol.ts';

type MicrophoneAccess = Pick<typeof systemPreferences, 'askForMediaAccess'>;

const ALWAYS = new Set(['clipboard-sanitized-write', 'fullscreen']);

/** Chromium checks permissions before it requests them, so both handlers are needed. */
export function guardPermissions(
  session: Session,
  microphone: MicrophoneAccess,
  platform: NodeJS.Platform,
): void {
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin, details) => {
    if (!details.isMainFrame || !isPageOrigin(requestingOrigin)) return false;
    // Without this check, device labels would be empty.
    if (permission === 'media') return details.mediaType === 'audio';
    return ALWAYS.has(permission);
  });

  session.setPermissionRequestHandler((_contents, permission, callback, details) => {
    if (!details.isMainFrame || !isPageOrigin(details.requestingUrl)) return callback(false);
    if (permission !== 'media') return callback(ALWAYS.has(permission));
    if (!asksForMicrophoneOnly(details)) return callback(false);
    if (platform !== 'darwin') return callback(true);
    microphone.askForMediaAccess('microphone').then(callback, () => callback(false));
  });
}

function asksForMicrophoneOnly(details: object): boolean {
  if (!('mediaTypes' in details) || !Array.isArray(details.mediaTypes)) return false;
  return details.mediaTypes.length === 1 && details.mediaTypes[0] === 'audio';
}
