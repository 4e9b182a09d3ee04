import { useQuery } from '@tanstack/react-query';
import type { FieldDescription } from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { api, orpc } from '../../lib/api.ts';
import type { Form } from './form.ts';
import { useConnection } from './use-connection.ts';
import { useForm } from './use-form.ts';

/** Returns a function that suggests the voices of the gateway, if it lists any. */
export function useListedVoices(
  form: Form<OperationName>,
): (field: FieldDescription) => FieldDescription {
  const connectionId = useConnection(form)?.id ?? null;
  const model = useForm(form, ({ models }) =>
    connectionId === null ? undefined : models[connectionId],
  );
  const isSpeech = form.operation === 'speech';
  const input = { connectionId: connectionId ?? '' };
  const { data = [] } = useQuery({
    // Other panels have no voices to ask for.
    queryKey: isSpeech ? orpc.models.voices.queryKey({ input }) : ['no voices'],
    queryFn: () => api.models.voices(input),
    enabled: isSpeech && connectionId !== null,
  });
  const isOfModel = (of: string | null) => of === null || model === undefined || of === model;
  const voices = data.filter((voice) => isOfModel(voice.model));
  if (!isSpeech || voices.length === 0) return (field) => field;
  const suggestions = voices.map(({ id, name }) => ({ value: id, name }));
  return (field) => (field.name === 'voice' ? { ...field, suggestions } : field);
}
