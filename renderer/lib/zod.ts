/** Replaces `zod` in the page (electron.vite.config.ts). */
import { z } from 'zod/v4';

// The page's content security policy forbids `new Function`, which zod would try.
z.config({ jitless: true });

export { z };
