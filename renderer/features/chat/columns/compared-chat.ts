import type { ComparedInput } from '../../../run/compare/compared-input.ts';
import { ownedFields } from '../options/request-options.ts';

/** More columns than these nobody reads. */
const maxColumns = 6;

/** Columns are sent the same message, below each its own last answer. */
export const comparedChat: ComparedInput = {
  title: () => '',
  promptField: null,
  owned: ownedFields,
  mostVariants: maxColumns,
  isOnce: true,
};
