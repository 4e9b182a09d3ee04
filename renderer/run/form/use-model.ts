import { useQuery } from '@tanstack/react-query';
import type { ModelSuggestions } from '../../../shared/contract/models.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { orpc } from '../../lib/api.ts';
import type { Form } from './form.ts';
import { useConnection } from './use-connection.ts';
import { useForm, useIsLoaded } from './use-form.ts';

/** A list that is older is fetched again when it is opened; main keeps it about as long. */
const freshMs = 60_000;

export interface ChosenModel {
  /** The connection that the model is of; null until it is known. */
  connectionId: string | null;
  /** Empty until the user or the suggestions name one. */
  model: string;
  /** False until it is known which connection the model would be of, and what the form has. */
  choosable: boolean;
  chooseModel: (model: string) => void;
  suggestions: ModelSuggestions | null;
  /** Newer ones are on their way. */
  isFetching: boolean;
  /** None have come yet. */
  isListing: boolean;
  /** Fetches the suggestions again where they are old or the list did not come. */
  refresh: () => void;
}

/** The model that the form has for its connection, else the one this preselects. */
export function useModel(form: Form<OperationName>): ChosenModel {
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
    model: chosen ?? (isLoaded ? (data?.preselected ?? '') : ''),
    choosable: connectionId !== null && isLoaded,
    chooseModel: (model) => {
      if (connectionId !== null)
        form.change({ models: { [connectionId]: model } }, { typing: true });
    },
    suggestions: data ?? null,
    isFetching,
    isListing: isFetching && data === undefined,
    refresh: () => {
      const isOld = Date.now() - dataUpdatedAt > freshMs;
      if (data !== undefined && (isOld || data.listProblem !== null)) void refetch();
    },
  };
}
