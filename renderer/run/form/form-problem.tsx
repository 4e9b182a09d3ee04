import { useStore } from 'zustand';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import type { Form } from './form.ts';

/** Why what the user has written is only in this window yet. */
export function FormProblem({ form }: { form: Form<OperationName> }) {
  const problem = useStore(form.state, (state) => state.problem);
  return problem && <ErrorAlert compact error={problem} />;
}
