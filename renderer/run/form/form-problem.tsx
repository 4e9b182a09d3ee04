import { useStore } from 'zustand';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import type { Form } from './form.ts';
import { useIsLoaded } from './use-form.ts';

export function FormProblem({ form }: { form: Form<OperationName> }) {
  const problem = useStore(form.state, (state) => state.problem);
  const isLoaded = useIsLoaded(form);
  const onRetry = isLoaded ? undefined : () => void form.retry().catch(() => undefined);
  return problem && <ErrorAlert compact error={problem} onRetry={onRetry} />;
}
