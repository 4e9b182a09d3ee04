import { useEffect, useRef } from 'react';
import type { ModelSuggestion, ModelSuggestions } from '../../../shared/contract/models.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { useConnections } from '../../lib/connections.ts';
import { panelLabel } from '../../lib/panels.ts';
import { Combobox, type ComboboxHandle } from '../../ui/combobox.tsx';
import { Select } from '../../ui/select.tsx';
import type { Suggestion } from '../../ui/suggestions.ts';
import type { Form } from './form.ts';
import styles from './run-pickers.module.css';
import { chooseConnection, useAddedConnection, useConnection } from './use-connection.ts';
import { useModel } from './use-model.ts';

export function RunPickers({ form }: { form: Form<OperationName> }) {
  return (
    <>
      <span data-field="connection" className={styles.place}>
        <ConnectionPicker form={form} className={styles.connection} />
      </span>
      <span data-field="model" className={styles.place}>
        <ModelPicker form={form} className={styles.model} />
      </span>
    </>
  );
}

interface PickerProps {
  form: Form<OperationName>;
  className?: string | undefined;
}

const unchosen = { value: '', label: 'Choose…', disabled: true };

export function ConnectionPicker({ form, className }: PickerProps) {
  const { connections } = useConnections();
  const connection = useConnection(form);
  return (
    <Select
      label="Connection"
      hideLabel
      className={className}
      value={connection?.id ?? ''}
      options={[
        // Without an empty option, the select would display the first connection as selected.
        ...(connection === null && connections.length > 0 ? [unchosen] : []),
        ...connections.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onValueChange={(id) => chooseConnection(form, id)}
      disabled={connections.length === 0}
    />
  );
}

interface ModelPickerProps {
  form: Form<OperationName>;
  className?: string | undefined;
}

/** Suggests the gateway's models, but accepts any ID. */
export function ModelPicker({ form, className }: ModelPickerProps) {
  const { connectionId, model, choosable, chooseModel, suggestions, ...list } = useModel(form);
  const { isFetching, isListing, refresh } = list;
  const picker = useRef<ComboboxHandle>(null);
  const wanted = useAddedConnection(({ modelOf }) => modelOf);
  // Ignore a list error from before the key was fixed.
  const isKnown = choosable && suggestions !== null && !isFetching;
  useEffect(() => {
    if (wanted === null || wanted !== connectionId || !isKnown) return;
    useAddedConnection.setState({ modelOf: null });
    if (model === '') picker.current?.open();
  }, [wanted, connectionId, isKnown, model]);
  return (
    <Combobox
      ref={picker}
      label="Model"
      hideLabel
      className={className}
      value={model}
      onValueChange={chooseModel}
      suggestions={suggestions ? grouped(suggestions, form.operation) : []}
      typedLabel={(text) => `Use “${text}” as model ID`}
      typedNote={(text) => `“${text}” used as model ID`}
      note={getNote(suggestions)}
      placeholder={choosable ? (isListing ? 'Loading models…' : 'Choose a model') : ''}
      disabled={!choosable}
      onOpen={refresh}
    />
  );
}

function grouped({ models }: ModelSuggestions, operation: OperationName): Suggestion[] {
  const saysWhatFits = models.some(({ fits }) => fits !== null);
  const getGroup = ({ usedAt, fits }: ModelSuggestion) => {
    if (usedAt !== null) return 'Recent';
    if (!saysWhatFits) return 'Models';
    return fits === true ? `For ${panelLabel(operation).toLowerCase()}` : 'Other models';
  };
  return models.map((model) => ({
    value: model.id,
    detail: model.description ?? model.ownedBy ?? undefined,
    group: getGroup(model),
  }));
}

/** A missing list isn't an error, because the API doesn't require one. */
function getNote(suggestions: ModelSuggestions | null): string | undefined {
  if (suggestions === null) return 'Loading models…';
  if (suggestions.listProblem !== null) return suggestions.listProblem;
  return suggestions.models.length === 0
    ? 'This gateway lists no models. Enter a model ID.'
    : undefined;
}
