/** The page stays where it is: no navigation, no new windows, no embedded pages. */
import type { Event, WebContents } from 'electron';
import { isPage } from './page-address.ts';

/** Links to the web are opened through the contract, in the system's own browser. */
export function lockNavigation(contents: WebContents): void {
  contents.on('will-navigate', refuseToLeave);
  contents.on('will-frame-navigate', refuseToLeave);
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** The page may load itself anew, as its error boundary offers. */
function refuseToLeave(details: Event<{ url: string; isMainFrame: boolean }>): void {
  if (!(details.isMainFrame && isPage(details.url))) details.preventDefault();
}
