import { skipToken, useQuery } from '@tanstack/react-query';
import { FORMAT } from '../../../shared/operations/formats.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { getParamValue } from '../../../shared/param.ts';
import { orpc } from '../../lib/api.ts';
import { formatAge } from '../../lib/format-quantity.ts';
import type { Form } from './form.ts';
import { useForm } from './use-form.ts';
import { useModel } from './use-model.ts';

/** Returns a line for each field that the model ignored or rejected when it was last probed. */
export function useCheckHints(form: Form<OperationName>): ReadonlyMap<string, string> {
  const { connectionId, model } = useModel(form);
  const format = useForm(form, ({ params }) => getParamValue(params, FORMAT)) ?? '';
  const input = connectionId === null || model === '' ? skipToken : { connectionId, model };
  const { data: all = [] } = useQuery(orpc.checks.hints.queryOptions({ input }));
  const hints = all.filter(
    (hint) => hint.format === format && (hint.verdict === 'ignored' || hint.verdict === 'rejected'),
  );
  const { data: rows = [] } = useQuery({
    queryKey: ['probe rows'],
    queryFn: async () => (await import('../../../shared/checks/probe/rows.ts')).probeRows,
    enabled: hints.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const lines = new Map<string, string>();
  for (const { rowId, verdict, atMs } of hints) {
    const word = verdict === 'ignored' ? 'Ignored' : 'Rejected';
    const own = rows.filter(({ operation }) => operation === form.operation);
    const row = own.find(({ id }) => id === rowId);
    for (const field of row?.fields ?? []) {
      // A field such as `response_format` has a row for each of its values.
      const isShared = own.filter(({ fields }) => fields.includes(field)).length > 1;
      const name = isShared && row !== undefined ? `${row.label}: ` : '';
      const line = `${name}${word} by this model, ${formatAge(Date.now() - atMs)}`;
      lines.set(field, [lines.get(field) ?? [], line].flat().join('; '));
    }
  }
  return lines;
}
