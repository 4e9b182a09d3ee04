import { Fragment, useMemo, useRef, useState } from 'react';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { classNames } from '../../ui/class-names.ts';
import { WarningIcon } from '../../ui/icons/status.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { Form } from '../form/form.ts';
import { useDraft } from '../form/parameters.ts';
import { useFormConnection } from '../form/use-connection.ts';
import { useForm } from '../form/use-form.ts';
import { useReadyRun } from '../form/use-ready-run.ts';
import styles from './compare.module.css';
import { type ComparedSetting, differingSettings } from './compared-input.ts';
import { VariantEditor } from './variant-editor.tsx';
import { variantForm } from './variant-form.ts';
import { differencesBetween } from './variant-words.ts';
import {
  changeVariant,
  duplicateVariant,
  type ListedVariant,
  moveVariant,
  removeVariant,
  useVariantEditor,
} from './variants.ts';

interface VariantCardProps {
  form: Form<OperationName>;
  variant: ListedVariant;
  isFirst: boolean;
  isLast: boolean;
  promptLabel: string | null;
  settings: readonly ComparedSetting[];
  owned: readonly string[] | undefined;
  isNew: boolean;
}

export function VariantCard(props: VariantCardProps) {
  const { form, variant, isFirst, isLast, promptLabel, settings, owned, isNew } = props;
  const own = variantForm(form, variant.id);
  const [isOpen, setOpen] = useState(isNew);
  useVariantEditor(variant.id, () => setOpen(true));
  const { model, blocked } = useReadyRun(own, owned);
  const differences = useDifferences(form, variant, owned, settings);
  const defaultName = model === '' ? 'Variant' : model;
  const name = variant.name === '' ? defaultName : variant.name;
  const wholeName = [name, ...differences.map(({ label }) => label)].join(' ');
  const group = useRef<HTMLFieldSetElement>(null);
  const warns = !variant.excluded && blocked?.isLoading !== true;
  const problem = warns ? (blocked?.reason ?? null) : null;

  return (
    <fieldset
      ref={group}
      aria-label={name}
      className={classNames(styles.card, variant.excluded && styles.excluded)}
    >
      <Popover
        label={`Edit ${wholeName}`}
        title="Edit variant"
        side="bottom"
        align="start"
        wide
        open={isOpen}
        onOpenChange={setOpen}
        className={styles.cardTrigger}
        trigger={
          <>
            {problem !== null && (
              <Tooltip text={problem}>
                <span className={styles.problem}>
                  <WarningIcon size={14} />
                  <span className="visually-hidden">{problem}</span>
                </span>
              </Tooltip>
            )}
            <span className={styles.cardName}>{name}</span>
            {differences.map(({ name: field, label }) => (
              <Fragment key={`${field} ${label}`}>
                {' '}
                <span className={styles.difference}>{label}</span>
              </Fragment>
            ))}
          </>
        }
      >
        <VariantEditor
          form={form}
          variant={variant}
          usualName={defaultName}
          promptLabel={promptLabel}
          settings={settings}
          owned={owned}
        />
      </Popover>
      <Menu
        label={`More actions for ${wholeName}`}
        size="small"
        items={[
          { id: 'edit', label: 'Edit', onSelect: () => setOpen(true) },
          {
            id: 'duplicate',
            label: 'Duplicate',
            onSelect: () => void duplicateVariant(form, variant.id),
          },
          {
            id: 'exclude',
            label: variant.excluded ? 'Include' : 'Exclude',
            onSelect: () => changeVariant(form, variant.id, { excluded: !variant.excluded }),
          },
          {
            id: 'left',
            label: 'Move left',
            disabled: isFirst,
            onSelect: () => moveVariant(form, variant.id, -1),
          },
          {
            id: 'right',
            label: 'Move right',
            disabled: isLast,
            onSelect: () => moveVariant(form, variant.id, 1),
          },
          'separator',
          {
            id: 'remove',
            label: 'Remove',
            danger: true,
            onSelect: () => {
              focusNeighbor(group.current);
              removeVariant(form, variant.id);
            },
          },
        ]}
      />
    </fieldset>
  );
}

function useDifferences(
  form: Form<OperationName>,
  variant: ListedVariant,
  owned: readonly string[] | undefined,
  fields: readonly ComparedSetting[],
) {
  const own = variantForm(form, variant.id);
  const { description } = useReadyRun(own, owned);
  const draft = useDraft(form, description);
  const ownDraft = useDraft(own, description);
  const wireNames = useForm(form, (values) => values.wireNames);
  const ownNames = useForm(own, (values) => values.wireNames);
  const connection = useFormConnection(form).connection?.name ?? '';
  const ownConnection = useFormConnection(own).connection?.name ?? '';
  return useMemo(() => {
    return differencesBetween(
      description,
      { connectionName: connection, draft, wireNames },
      {
        connectionName: ownConnection,
        draft: ownDraft,
        wireNames: ownNames,
        prompt: variant.prompt,
        settings: differingSettings(fields, variant.settings),
      },
    );
  }, [
    description,
    draft,
    ownDraft,
    wireNames,
    ownNames,
    connection,
    ownConnection,
    variant.prompt,
    variant.settings,
    fields,
  ]);
}

/** Focuses the neighboring card, or else the control after the cards. */
function focusNeighbor(card: HTMLElement | null): void {
  const neighbor = card?.nextElementSibling ?? card?.previousElementSibling;
  const control =
    neighbor?.matches('button') === true ? neighbor : neighbor?.querySelector('button');
  if (control instanceof HTMLElement) control.focus();
}
