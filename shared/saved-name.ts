/** What the user calls a preset or a saved request. */
import { z } from 'zod';

export const LONGEST_NAME = 80;
export const savedNameSchema = z.string().trim().min(1, 'Enter a name.').max(LONGEST_NAME);
