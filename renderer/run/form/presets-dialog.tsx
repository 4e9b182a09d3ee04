import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { ParameterPreset } from '../../../shared/saved-items.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { getPanelLabel } from '../../lib/panels.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons/actions.tsx';
import { focusRow, useRovingList } from '../../ui/roving-list.ts';
import { TextField } from '../../ui/text-field.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import type { Form } from './form.ts';
import {
  applyPreset,
  capturePreset,
  describePreset,
  listParts,
  type PresetConversation,
  type PresetPart,
  partLabels,
  usePresetTarget,
} from './parameter-presets.ts';
import styles from './presets-dialog.module.css';
import { removeItem, saveItem } from './save-item.tsx';

interface PresetsDialogProps {
  form: Form<OperationName>;
  /** Null if the panel has no conversation, or while it loads. */
  conversation: PresetConversation | null;
  onClose: () => void;
}

const undoPlace = 'presets';
const none: readonly ParameterPreset[] = [];

export function PresetsDialog({ form, conversation, onClose }: PresetsDialogProps) {
  const { operation } = form;
  const target = usePresetTarget(form, conversation);
  const parts = listParts(target);
  const [chosen, setChosen] = useState<Partial<Record<PresetPart, boolean>>>({});
  const isIncluded = ({ part, isSet }: (typeof parts)[number]) => chosen[part] ?? isSet;
  const list = useQuery(orpc.saved.presets.list.queryOptions());
  const presets = (list.data ?? none).filter((preset) => preset.operation === operation);
  const { attempt, error, busy } = useAttempt();
  const [name, setName] = useState('');
  const existing = presets.find((preset) => preset.name === name.trim());
  const problem = error ?? (list.error && toAppError(list.error));
  const roving = useRovingList({
    name: undoPlace,
    keys: presets.map(({ id }) => id),
    currentKey: null,
    getItemText: (index) => presets[index]?.name ?? '',
  });

  function save(event: FormEvent) {
    event.preventDefault();
    if (name.trim() === '' || busy) return;
    void attempt(async () => {
      const settings = capturePreset(
        target,
        new Set(parts.filter(isIncluded).map(({ part }) => part)),
      );
      await saveItem(
        api.saved.presets,
        { operation, name: name.trim(), settings },
        existing,
        undoPlace,
      );
      setName('');
    });
  }

  function remove(preset: ParameterPreset) {
    void attempt(() =>
      removeItem(preset, {
        place: undoPlace,
        words: '# presets deleted',
        onUndone: () => focusRow(undoPlace, preset.id),
      }),
    );
  }

  return (
    <Dialog open title={`${getPanelLabel(operation)} presets`} onClose={onClose}>
      <form className="stack-12" noValidate onSubmit={save}>
        <div className={styles.save}>
          <TextField
            label="Save settings as"
            className={styles.name}
            placeholder="Preset name"
            maxLength={80}
            value={name}
            onValueChange={setName}
          />
          <Button
            type="submit"
            variant="primary"
            busy={busy}
            disabledReason={name.trim() === '' ? 'Enter a name.' : null}
          >
            {existing !== undefined ? 'Replace' : 'Save'}
          </Button>
        </div>
        <fieldset className={styles.parts} aria-label="Include">
          <span className="hint">Parameters are always included.</span>
          {parts.map((one) => (
            <Checkbox
              key={one.part}
              checked={isIncluded(one)}
              onCheckedChange={(checked) => setChosen({ ...chosen, [one.part]: checked })}
            >
              <span className={styles.part}>{partLabels[one.part]}</span>
              <span className="hint truncate">{one.value}</span>
            </Checkbox>
          ))}
        </fieldset>
      </form>
      {problem !== null && <ErrorAlert error={problem} compact />}
      {presets.length === 0 && list.data !== undefined && (
        <p className={styles.none}>No presets yet</p>
      )}
      {presets.length > 0 && (
        <ul className={styles.list} aria-label="Presets" {...roving.listProps}>
          {presets.map((preset, index) => (
            <li key={preset.id} data-row={preset.id} className={styles.row}>
              <button
                type="button"
                tabIndex={roving.getTabIndex(index)}
                className={styles.apply}
                aria-description={describePreset(preset.settings)}
                onClick={() => {
                  applyPreset(target, preset);
                  onClose();
                }}
              >
                {preset.name}
              </button>
              <span className={styles.held} aria-hidden="true">
                {describePreset(preset.settings)}
              </span>
              <IconButton
                label={`Delete ${preset.name}`}
                size="small"
                tabIndex={-1}
                icon={<TrashIcon size={14} />}
                onClick={() => remove(preset)}
              />
            </li>
          ))}
        </ul>
      )}
      <UndoBars place={undoPlace} />
    </Dialog>
  );
}
