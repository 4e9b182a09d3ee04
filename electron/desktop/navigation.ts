/** The page stays where it is: no navigation, no new windows, no embedded pages. */
import type { Event, WebContents } from 'electron';

/** Links to the web are opened through the contract, in the system's own browser. */
export function lockNavigation(contents: WebContents): void {
  const refuse = (event: Pick<Event, 'preventDefault'>) => event.preventDefault();
  contents.on('will-navigate', refuse);
  contents.on('will-frame-navigate', refuse);
  contents.on('will-redirect', refuse);
  contents.on('will-attach-webview', refuse);
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}
