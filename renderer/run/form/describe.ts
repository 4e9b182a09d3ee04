import { useQuery } from '@tanstack/react-query';
import type { OperationDescription } from '../../../shared/operations/form/description.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { orpc } from '../../lib/api.ts';

/** The parameter form of an operation; null until it is loaded. */
export function useOperation(name: OperationName): OperationDescription | null {
  const { data } = useQuery({
    ...orpc.system.describe.queryOptions(),
    // The forms are those of the program that serves the page.
    staleTime: 'static',
  });
  return data?.find((operation) => operation.name === name) ?? null;
}

/** The form without what a panel sets itself. */
export function withoutFields(
  description: OperationDescription,
  names: readonly string[],
): OperationDescription {
  if (names.length === 0) return description;
  return { ...description, fields: description.fields.filter(({ name }) => !names.includes(name)) };
}
