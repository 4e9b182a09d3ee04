/** What an image form holds beside model and parameters. */
import { z } from 'zod';

const storedImageSchema = z.object({ mediaId: z.string(), mimeType: z.string() });

/** One of the `contents` of a request, with images by reference. */
const turnSchema = z.object({
  role: z.string(),
  parts: z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), text: z.string() }),
      storedImageSchema.extend({ type: z.literal('image') }),
    ]),
  ),
});

export const imageInputSchema = z.object({
  prompt: z.string(),
  images: z.array(storedImageSchema),
  /** The contents so far, sent before the prompt. */
  earlier: z.array(turnSchema),
  /** Null is not sent. */
  responseModalities: z.array(z.string()).nullable(),
  /** Empty is not sent, as with the size. */
  aspectRatio: z.string(),
  imageSize: z.string(),
  /** More fields of generationConfig, JSON as typed. */
  moreConfig: z.string(),
});
export type ImageInput = z.infer<typeof imageInputSchema>;
