import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import type { OtherPrice, Price, RateName } from '../../../shared/prices.ts';
import { api, orpc } from '../../lib/api.ts';
import { findFieldMessage, getFieldErrors } from '../../lib/field-errors.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PlusIcon } from '../../ui/icons/actions.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { Select } from '../../ui/select.tsx';
import { hasGroup, noRates, type PriceGroup, priceColumns } from './price-columns.ts';
import styles from './prices.module.css';

interface PriceDialogProps {
  /** If null, the dialog adds a price. */
  price: Price | null;
  /** A price from elsewhere, which the new price replaces. */
  replaced?: OtherPrice | null;
  /** Warns that a new price replaces one with the same connection and model. */
  prices: readonly Price[];
  connections: readonly Connection[];
  selectedId: string | null;
  onClose: () => void;
}

export function PriceDialog(props: PriceDialogProps) {
  const { price, replaced = null, prices, connections, selectedId, onClose } = props;
  const start = price ?? replaced;
  const [connectionId, setConnectionId] = useState(
    start?.connectionId ?? selectedId ?? connections[0]?.id ?? '',
  );
  const [model, setModel] = useState(start?.model ?? '');
  const [rates, setRates] = useState(start?.rates ?? noRates);
  const [showsMedia, setShowsMedia] = useState(hasGroup(rates, 'Media'));
  const saving = useAttempt();
  const { data: suggested } = useQuery(
    orpc.models.suggest.queryOptions({ input: { connectionId, operation: 'chat' } }),
  );

  const isChanged =
    connectionId !== (start?.connectionId ?? connectionId) ||
    model !== (start?.model ?? '') ||
    priceColumns.some(({ name }) => rates[name] !== (start?.rates[name] ?? null));
  const isReplacing = prices.some(
    (other) =>
      price === null && other.connectionId === connectionId && other.model === model.trim(),
  );

  async function save() {
    const input = { id: price?.id ?? null, connectionId, model, rates };
    if (await saving.attempt(() => api.prices.save(input))) onClose();
  }

  const fields = getFieldErrors(saving.error);
  const getError = (name: RateName) => findFieldMessage(fields, 'rates', name);
  const group = (name: PriceGroup) => (
    <fieldset className={styles.group} data-group={name}>
      <legend className={classNames(styles.legend, 'caption')}>{name}</legend>
      {priceColumns
        .filter((column) => column.group === name)
        .map((column) => (
          <NumberField
            key={column.name}
            label={column.label}
            help={`$ ${column.unit}`}
            value={rates[column.name]}
            min={0}
            step={0.01}
            error={getError(column.name)}
            onValueChange={(value) => setRates({ ...rates, [column.name]: value })}
          />
        ))}
    </fieldset>
  );

  const isInFields =
    findFieldMessage(fields, 'model') !== null ||
    findFieldMessage(fields, 'connectionId') !== null ||
    priceColumns.some(({ name }) => getError(name) !== null);
  return (
    <FormDialog
      title={start === null ? 'Add price' : `Edit price for ${start.model}`}
      saveLabel={isReplacing ? 'Replace' : 'Save'}
      isChanged={isChanged}
      busy={saving.busy}
      error={saving.error}
      isErrorInField={isInFields}
      onSave={() => void save()}
      onClose={onClose}
    >
      <Select
        label="Connection"
        value={connectionId}
        options={connections.map(({ id, name }) => ({ value: id, label: name }))}
        error={findFieldMessage(fields, 'connectionId')}
        onValueChange={setConnectionId}
      />
      <Combobox
        label="Model"
        value={model}
        onValueChange={setModel}
        suggestions={suggested?.models.map(({ id }) => ({ value: id })) ?? []}
        typedLabel={(text) => `Use “${text}” as model ID`}
        help={
          isReplacing
            ? 'This model already has a price. Saving replaces it.'
            : 'Model ID, as sent in requests.'
        }
        error={findFieldMessage(fields, 'model')}
      />
      {group('Tokens')}
      {showsMedia ? (
        group('Media')
      ) : (
        <Button
          size="small"
          icon={<PlusIcon size={14} />}
          className={styles.more}
          onClick={() => setShowsMedia(true)}
        >
          Images, video and audio
        </Button>
      )}
    </FormDialog>
  );
}
