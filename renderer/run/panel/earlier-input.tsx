import { useMemo } from 'react';
import { isSameJson } from '../../../shared/json.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { type ComparedInput, omitUnsent } from '../compare/compared-input.ts';
import type { Form } from '../form/form.ts';
import { useForm } from '../form/use-form.ts';
import { useRecordedInput } from '../live/recorded-input.ts';

interface EarlierInputProps {
  form: Form<OperationName>;
  input: ComparedInput;
  runId: string;
}

/** Says that the shown result belongs to another input than the form's. */
export function EarlierInput({ form, input: { own, promptField }, runId }: EarlierInputProps) {
  const { operation } = form;
  const recorded = useRecordedInput(runId);
  const values = useForm(form, ({ input }) => input);
  const sent = recorded?.request ?? null;
  const isOther = useMemo(() => {
    if (own === undefined || sent === null) return false;
    const now = omitUnsent(operation, [{ request: sent }], own.write(values));
    return !isSameJson(own.read(now), own.read(sent));
  }, [operation, own, values, sent]);
  if (!isOther || own === undefined || sent === null) return null;
  const prompt = promptField?.read(sent) ?? '';
  return (
    <p className="fixed caption truncate">
      Result of an earlier input
      {promptField !== null && prompt !== '' && ` · ${promptField.label}: ${prompt.slice(0, 500)}`}
    </p>
  );
}
