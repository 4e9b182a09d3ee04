import type { ComparedVariant } from '../../../shared/comparison.ts';
import type { AppError } from '../../../shared/errors.ts';
import { useConnections } from '../../lib/connections.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { editVariant, useIsEditable } from './edit-variant.ts';

interface CellProblemProps {
  error: AppError;
  variant: ComparedVariant;
}

/** Why a cell brought nothing. */
export function CellProblem({ error, variant: { id, connectionId } }: CellProblemProps) {
  const { connections, isPending, error: unknown } = useConnections();
  const canEdit = useIsEditable(id);
  const isDeleted =
    error.kind === 'not-found' &&
    error.gateway === null &&
    !isPending &&
    unknown === null &&
    connections.every((connection) => connection.id !== connectionId);
  if (!isDeleted) return <ErrorAlert compact error={error} />;
  return (
    <ErrorAlert
      compact
      error={{
        ...error,
        message: 'This variant’s connection was deleted.',
        nextStep: 'Choose another connection, then retry.',
      }}
      actions={
        canEdit && (
          <Button size="small" onClick={() => editVariant(id)}>
            Edit variant
          </Button>
        )
      }
    />
  );
}
