import type { FieldDescription } from '../../../shared/operations/form/description.ts';

/** What an unset field's control says: the gateway's own default where the interface states one. */
export function placeholderOf({ gatewayDefault }: FieldDescription): string {
  return gatewayDefault === null ? 'not set' : `default ${JSON.stringify(gatewayDefault)}`;
}
