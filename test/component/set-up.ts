/** Before each file. */
import './react-act.ts';
import { beforeEach } from 'vitest';
import { commands, page } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { resetForms } from './forms-fixtures.ts';
import { answerNothing } from './page-api.ts';
import { resetStores } from './stores.ts';

declare module 'vitest/browser' {
  interface BrowserCommands {
    enterFrame(timeOrigin: number): Promise<void>;
  }
}

await commands.enterFrame(performance.timeOrigin);

// Files share a page and its modules: each begins with none of what another one left.
await cleanup();
answerNothing();
resetForms();
resetStores();
queryClient.clear();
localStorage.clear();
sessionStorage.clear();
location.hash = '';
await page.viewport(1360, 860);

// The library itself asks for this only in the first file.
beforeEach(cleanup);
