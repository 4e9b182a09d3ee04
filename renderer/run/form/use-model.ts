import { useQuery } from '@tanstack/react-query';
import type { ModelSuggestion } from '../../../shared/contract/models.ts';
import { joinFieldName } from '../../../shared/form-fields.ts';
import { FORMAT } from '../../../shared/operations/formats.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { orpc } from '../../lib/api.ts';
import type { Form } from './form.ts';
import { setFormat } from './parameters.ts';
import { useConnection } from './use-connection.ts';
import { useForm, useIsLoaded } from './use-form.ts';

/** Matches the cache time in the main process. */
const freshMs = 60_000;

/** Chooses the model's format, unless it's unknown or a variant has the model of its panel. */
export function chooseFormat(
  form: Form<OperationName>,
  connectionId: string,
  { id, format }: Pick<ModelSuggestion, 'id' | 'format'>,
): void {
  const { connectionId: panelConnection, models } =
    form.variantOf?.state.getState().values ?? noPanel;
  const isPanels =
    (panelConnection ?? connectionId) === connectionId && models[connectionId] === id;
  if (form.variantOf !== null && (format === null || isPanels)) {
    form.change({}, { unset: [joinFieldName('params', FORMAT)] });
  } else if (format !== null) setFormat(form, format);
}

const noPanel = { connectionId: null, models: {} as Readonly<Record<string, string>> };

/** Returns the form's model for its connection, or the suggested model. */
export function useModel(form: Form<OperationName>) {
  const connectionId = useConnection(form)?.id ?? null;
  const isLoaded = useIsLoaded(form);
  const { operation } = form;
  const chosen = useForm(form, ({ models }) =>
    connectionId === null ? undefined : models[connectionId],
  );
  const { data, dataUpdatedAt, isFetching, refetch } = useQuery({
    ...orpc.models.suggest.queryOptions({ input: { connectionId: connectionId ?? '', operation } }),
    enabled: connectionId !== null,
  });
  return {
    connectionId,
    /** Empty until the user or the suggestions provide a model. */
    model: chosen ?? (isLoaded ? (data?.preselected ?? '') : ''),
    /** False while the connection or form is loading. */
    choosable: connectionId !== null && isLoaded,
    chooseModel: (model: string) => {
      if (connectionId === null) return;
      form.change({ models: { [connectionId]: model } }, { typing: true });
      const known = data?.models.find(({ id }) => id === model);
      if (known !== undefined) chooseFormat(form, connectionId, known);
    },
    suggestions: data ?? null,
    isFetching,
    isListing: isFetching && data === undefined,
    /** Refetches suggestions that are stale or failed to load. */
    refresh: () => {
      const isOld = Date.now() - dataUpdatedAt > freshMs;
      if (data !== undefined && (isOld || data.listProblem !== null)) void refetch();
    },
  };
}
