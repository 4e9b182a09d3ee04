import { skipToken, useQuery } from '@tanstack/react-query';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { orpc } from '../../lib/api.ts';
import { selectConnection, useConnections } from '../../lib/connections.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon } from '../../ui/icons/actions.tsx';
import { Select } from '../../ui/select.tsx';
import styles from './check.module.css';
import { useCheckStore } from './check-store.ts';

const maxModels = 20;

/** Returns the chosen models of the selected connection, or the one that it suggests. */
export function useCheckedModels(operation: OperationName) {
  const connectionId = useConnections().selected?.id ?? null;
  const chosen = useCheckStore(({ models }) => models[connectionId ?? '']);
  const { data: suggestions } = useQuery(
    orpc.models.suggest.queryOptions({
      input: connectionId === null ? skipToken : { connectionId, operation },
    }),
  );
  const preselected = suggestions?.preselected ?? null;
  const models = chosen ?? (preselected === null ? [] : [preselected]);
  return { connectionId, models, suggestions };
}

/** Chooses the connection of all panels, and several of its models. */
export function TargetFields({ operation }: { operation: OperationName }) {
  const { connections } = useConnections();
  const { connectionId, models, suggestions } = useCheckedModels(operation);
  const { error, attempt } = useAttempt();
  const isFull = models.length >= maxModels;
  const choose = (next: readonly string[]) =>
    useCheckStore.setState((store) => ({
      models: { ...store.models, [connectionId ?? '']: next },
    }));
  return (
    <>
      <Select
        label="Connection"
        value={connectionId ?? ''}
        options={connections.map(({ id, name }) => ({ value: id, label: name }))}
        onValueChange={(id) => void attempt(() => selectConnection(id))}
        disabled={connections.length === 0}
      />
      {error !== null && <ErrorAlert compact error={error} />}
      <div className="stack-4">
        <Combobox
          label="Model"
          value=""
          onValueChange={() => undefined}
          suggestions={(suggestions?.models ?? [])
            .filter(({ id }) => !models.includes(id))
            .map(({ id, description }) => ({ value: id, detail: description ?? '' }))}
          onChoose={({ value }) => choose([...new Set([...models, value])])}
          typedLabel={(text) => `Use “${text}” as model ID`}
          note={suggestions?.listProblem ?? undefined}
          placeholder={models.length === 0 ? 'Choose a model' : 'Add a model'}
          help={isFull ? `The limit is ${maxModels} models.` : undefined}
          disabled={connectionId === null || isFull}
        />
        <ul aria-label="Models">
          {models.map((model) => (
            <li key={model} className={styles.model}>
              <span className="truncate mono grow" title={model}>
                {model}
              </span>
              <IconButton
                size="small"
                label={`Remove ${model}`}
                icon={<CloseIcon size={14} />}
                onClick={() => choose(models.filter((each) => each !== model))}
              />
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
