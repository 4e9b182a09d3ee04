import { useQuery } from '@tanstack/react-query';
import type { ModelSuggestions } from '../../../shared/contract/models.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { orpc } from '../../lib/api.ts';
import { useConnections } from '../../lib/connections.ts';
import { modelKey, useDrafts } from './drafts.ts';

export interface ChosenModel {
  /** Empty until the user or the suggestions name one. */
  model: string;
  /** False until it is known which connection the model would be of. */
  choosable: boolean;
  chooseModel: (model: string) => void;
  suggestions: ModelSuggestions | null;
}

/** The model for this operation on the selected connection, else the one it preselects. */
export function useModel(operation: OperationName): ChosenModel {
  const connectionId = useConnections().selected?.id ?? null;
  const chosen = useDrafts(({ models }) =>
    connectionId === null ? undefined : models[modelKey(connectionId, operation)],
  );
  const chooseModel = useDrafts((state) => state.chooseModel);
  const { data } = useQuery({
    ...orpc.models.suggest.queryOptions({ input: { connectionId: connectionId ?? '', operation } }),
    enabled: connectionId !== null,
  });
  return {
    model: chosen ?? data?.preselected ?? '',
    choosable: connectionId !== null,
    chooseModel: (model) => {
      if (connectionId !== null) chooseModel(connectionId, operation, model);
    },
    suggestions: data ?? null,
  };
}
