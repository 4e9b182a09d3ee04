/** What the events of a console run fold into. JSON all through: it travels to the page as patches. */
import type { Media } from '../../media.ts';

export type ConsoleState = {
  /** A reply that is not text; there from its first byte on. */
  media: Media | null;
  /** A reply that is text: a document as received, or the frames of a stream as received. */
  text: string | null;
  /** The text is longer than what is kept. */
  truncated: boolean;
  contentType: string | null;
  /** Of the latest response. */
  status: number | null;
  /** Frames of a stream; 0 if the reply was none. */
  frameCount: number;
  upload: { doneBytes: number; totalBytes: number | null } | null;
};

export const emptyConsoleState: ConsoleState = {
  media: null,
  text: null,
  truncated: false,
  contentType: null,
  status: null,
  frameCount: 0,
  upload: null,
};
