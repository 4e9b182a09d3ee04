/** Of the text that transcripts are compared with, in UTF-16 code units as JavaScript counts them. */
export const MAX_REFERENCE_CHARS = 1_000_000;
