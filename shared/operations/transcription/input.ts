/** What a transcription form holds beside model and parameters. */
import { z } from 'zod';

/** `mediaId`: the stored audio that is to be transcribed. */
export const transcriptionInputSchema = z.object({ mediaId: z.string().nullable() });
export type TranscriptionInput = z.infer<typeof transcriptionInputSchema>;
