/** How a link is opened: by the system's browser on the desktop, else by the page in a new tab. */
import { createContext } from 'react';

/** Null leaves it to the anchor's own `target="_blank"`. */
export const LinkOpenerContext = createContext<((url: string) => void) | null>(null);
