/** Replaces `zod` in the page; see electron.vite.config.ts. */
import { z } from 'zod/v4';

// The page's CSP forbids `new Function`, which zod would otherwise try.
z.config({ jitless: true });

export { z };
