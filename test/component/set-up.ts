/** Before each file. */
import { commands } from 'vitest/browser';

declare module 'vitest/browser' {
  interface BrowserCommands {
    enterFrame(timeOrigin: number): Promise<void>;
  }
}

await commands.enterFrame(performance.timeOrigin);

// Files that share a page share its storage too: each begins with none of what another one left.
localStorage.clear();
sessionStorage.clear();

// React's development build would report each render to the profiler of DevTools, which nobody has open.
Reflect.deleteProperty(console, 'timeStamp');
