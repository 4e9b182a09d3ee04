/** What the user calls a preset or a saved request. */
import { z } from 'zod';

export const MAX_NAME_LENGTH = 80;
export const savedNameSchema = z.string().trim().min(1, 'Enter a name.').max(MAX_NAME_LENGTH);
