/** Of the text that transcripts are compared with, in UTF-16 code units as JavaScript counts them. */
export const longestReference = 1_000_000;
