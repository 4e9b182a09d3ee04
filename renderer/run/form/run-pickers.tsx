import type { ModelSuggestions } from '../../../shared/contract/models.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { useConnections } from '../../lib/connections.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { Select } from '../../ui/select.tsx';
import type { Suggestion } from '../../ui/suggestion-list.tsx';
import type { Form } from './form.ts';
import styles from './run-pickers.module.css';
import { chooseConnection, useConnection } from './use-connection.ts';
import { useModel } from './use-model.ts';

/** Connection and model side by side, for the head of a panel. */
export function RunPickers({ form }: { form: Form<OperationName> }) {
  return (
    <>
      <ConnectionPicker form={form} className={styles.connection} />
      <ModelPicker form={form} className={styles.model} />
    </>
  );
}

interface PickerProps {
  form: Form<OperationName>;
  className?: string | undefined;
}

/** The connection that every panel runs against, and a conversation its own. */
export function ConnectionPicker({ form, className }: PickerProps) {
  const { connections } = useConnections();
  const connection = useConnection(form);
  return (
    <Select
      label="Connection"
      hideLabel
      className={className}
      value={connection?.id ?? ''}
      options={connections.map(({ id, name }) => ({ value: id, label: name }))}
      onValueChange={(id) => chooseConnection(form, id)}
      disabled={connections.length === 0}
    />
  );
}

/** Any model name, with suggestions from the gateway's list and from what was used before. */
function ModelPicker({ form, className }: PickerProps) {
  const { model, choosable, chooseModel, suggestions } = useModel(form);
  return (
    <Combobox
      label="Model"
      hideLabel
      className={className}
      value={model}
      onValueChange={chooseModel}
      suggestions={suggestions ? grouped(suggestions) : []}
      note={noteOf(suggestions)}
      placeholder="Model ID"
      disabled={!choosable}
      monospace
    />
  );
}

const groups = [
  ['used', 'Recent'],
  ['demo', 'Simulated'],
  ['gateway', 'From the gateway'],
] as const;

function grouped({ models }: ModelSuggestions): Suggestion[] {
  return groups.flatMap(([source, group]) =>
    models
      .filter((model) => model.source === source)
      .map(({ id, ownedBy }) => ({ value: id, detail: ownedBy ?? undefined, group })),
  );
}

/** A missing list is no error: the interface does not promise one. */
function noteOf(suggestions: ModelSuggestions | null): string | undefined {
  if (suggestions === null) return 'Loading models…';
  if (suggestions.listProblem !== null) return suggestions.listProblem;
  return suggestions.models.length === 0
    ? 'The gateway lists no models. Type a model ID.'
    : undefined;
}
