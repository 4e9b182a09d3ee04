import { useMemo, useState } from 'react';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { Form } from '../form/form.ts';
import { ParameterSidebar } from '../form/parameter-sidebar.tsx';
import { RunPickers } from '../form/run-pickers.tsx';
import styles from './compare.module.css';
import type { ComparedSetting } from './compared-input.ts';
import { ownParameters, resetToForm, variantForm } from './variant-form.ts';
import { changeVariant, type ListedVariant } from './variants.ts';

interface VariantEditorProps {
  form: Form<OperationName>;
  variant: ListedVariant;
  usualName: string;
  /** Null if variants can't have their own text. */
  promptLabel: string | null;
  settings: readonly ComparedSetting[];
  owned: readonly string[] | undefined;
}

export function VariantEditor(props: VariantEditorProps) {
  const { form, variant, usualName, promptLabel, settings, owned } = props;
  const own = variantForm(form, variant.id);
  const parameters = useMemo(() => ownParameters(variant), [variant]);
  const hasOwnExtra = variant.extraBody !== null;
  // Keep settings that the form no longer has while the editor is open.
  const [set] = useState(() => Object.keys(variant.settings));
  const others = set.filter((name) => settings.every((field) => field.name !== name));
  return (
    <div className={styles.editor}>
      <TextField
        label="Name"
        value={variant.name}
        maxLength={80}
        placeholder={usualName}
        onValueChange={(name) => changeVariant(form, variant.id, { name }, { typing: true })}
      />
      <div className={styles.editorPickers}>
        <RunPickers form={own} />
      </div>
      {variant.connectionId !== null && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => changeVariant(form, variant.id, { connectionId: null })}
        >
          Use panel’s connection
        </Button>
      )}
      {Object.keys(variant.models).length > 0 && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => changeVariant(form, variant.id, { models: {} })}
        >
          Use panel’s model
        </Button>
      )}
      {promptLabel !== null && (
        <TextArea
          label={`${promptLabel} for this variant`}
          value={variant.prompt ?? ''}
          placeholder="Same as panel"
          autoGrow
          rows={1}
          maxRows={8}
          onValueChange={(text) =>
            changeVariant(form, variant.id, { prompt: text === '' ? null : text }, { typing: true })
          }
        />
      )}
      {[...settings, ...others.map(settingNamed)].map(({ name, label, suggestions }) => (
        <Combobox
          key={name}
          label={label}
          value={variant.settings[name] ?? ''}
          suggestions={suggestions.map((value) => ({ value }))}
          placeholder="Same as panel"
          onValueChange={(text) => {
            const { [name]: _, ...others } = variant.settings;
            const set = text.trim() === '' ? others : { ...others, [name]: text.trim() };
            changeVariant(form, variant.id, { settings: set }, { typing: true });
          }}
        />
      ))}
      <ParameterSidebar
        form={own}
        owned={owned}
        variant={{ own: parameters, onFollow: (name) => resetToForm(own, name) }}
      />
      {hasOwnExtra && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => changeVariant(form, variant.id, { extraBody: null })}
        >
          Use panel’s extra body fields
        </Button>
      )}
    </div>
  );
}

function settingNamed(name: string): ComparedSetting {
  return { name, label: name, value: '', suggestions: [] };
}
