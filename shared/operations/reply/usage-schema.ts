/** Token counts as chat and text completion report them. */
import { z } from 'zod';

const count = z.number().nullable().catch(null).optional();

/** Tolerant: a count that is missing or of a wrong type is dropped, unknown counts are kept. */
export const usageSchema = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: z
    .looseObject({
      cached_tokens: count,
      text_tokens: count,
      audio_tokens: count,
      image_tokens: count,
    })
    .nullable()
    .catch(null)
    .optional(),
  completion_tokens_details: z
    .looseObject({ text_tokens: count, audio_tokens: count, reasoning_tokens: count })
    .nullable()
    .catch(null)
    .optional(),
});
export type Usage = z.infer<typeof usageSchema>;
