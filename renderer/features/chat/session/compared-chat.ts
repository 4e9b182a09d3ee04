import type { ComparedInput } from '../../../run/compare/compared-input.ts';
import { ownedFields } from './request-options.ts';

const MAX_COLUMNS = 6;

export const comparedChat: ComparedInput = {
  title: () => '',
  promptField: null,
  owned: ownedFields,
  maxVariants: MAX_COLUMNS,
  isOnce: true,
};
