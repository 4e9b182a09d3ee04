import type { FormValues } from '../../../shared/form.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';

/** Maps the input fields that the user types in to their labels in the panel. */
export type TextLabels<Name extends OperationName> = Readonly<
  Partial<Record<keyof FormValues<Name>['input'], string>>
>;
