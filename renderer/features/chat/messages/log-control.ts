/** Lets the panel scroll the log of messages. */
import { createContext } from 'react';

export interface LogControl {
  getScroller: () => HTMLElement | null;
  /** Does nothing if the message is in view. */
  showMessage: (messageId: string) => void;
  scrollBy: (pixels: number) => void;
  jumpTo: (messageId: string) => void;
  /** Jumps to the previous (-1) or next (1) message. */
  step: (direction: -1 | 1) => void;
}

/** True if the answer shows its Markdown source. */
export const ShowsSourceContext = createContext(false);
