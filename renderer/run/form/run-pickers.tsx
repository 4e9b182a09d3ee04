import type { ModelSuggestions } from '../../../shared/contract/models.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { toAppError } from '../../lib/app-error.ts';
import { selectConnection, useConnections } from '../../lib/connections.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { Select } from '../../ui/select.tsx';
import { showToast } from '../../ui/show-toast.ts';
import type { Suggestion } from '../../ui/suggestion-list.tsx';
import type { Form } from './form.ts';
import styles from './run-pickers.module.css';
import { useModel } from './use-model.ts';

/** Connection and model side by side, for the head of a panel. */
export function RunPickers({ form }: { form: Form<OperationName> }) {
  return (
    <>
      <ConnectionPicker className={styles.connection} />
      <ModelPicker form={form} className={styles.model} />
    </>
  );
}

function choose(id: string): void {
  selectConnection(id).catch((error: unknown) =>
    showToast({ message: toAppError(error).message, tone: 'danger' }),
  );
}

/** The connection that every panel runs against. */
export function ConnectionPicker({ className }: { className?: string | undefined }) {
  const { connections, selected } = useConnections();
  return (
    <Select
      label="Connection"
      hideLabel
      className={className}
      value={selected?.id ?? ''}
      options={connections.map(({ id, name }) => ({ value: id, label: name }))}
      onValueChange={choose}
      disabled={connections.length === 0}
    />
  );
}

interface ModelPickerProps {
  form: Form<OperationName>;
  className?: string | undefined;
}

/** Any model name, with suggestions from the gateway's list and from what was used before. */
function ModelPicker({ form, className }: ModelPickerProps) {
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
      placeholder="Model id"
      disabled={!choosable}
      monospace
    />
  );
}

const groups = [
  ['used', 'Used before'],
  ['demo', 'Simulated'],
  ['gateway', "In the gateway's list"],
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
  if (suggestions === null) return 'Asking the gateway for its models…';
  if (suggestions.listProblem !== null) return suggestions.listProblem;
  return suggestions.models.length === 0
    ? 'The gateway names no models. Type the id of one.'
    : undefined;
}
