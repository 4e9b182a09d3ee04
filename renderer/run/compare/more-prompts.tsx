import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { Popover } from '../../ui/popover.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import type { Form } from '../form/form.ts';
import { useForm } from '../form/use-form.ts';
import styles from './compare.module.css';

interface MorePromptsProps {
  form: Form<OperationName>;
  /** `Prompts`. */
  several: string;
  rows: number;
}

/** More texts to send, each in its own row. */
export function MorePrompts({ form, several, rows }: MorePromptsProps) {
  const morePrompts = useForm(form, (values) => values.morePrompts);
  const label = `More ${several.toLowerCase()}`;
  return (
    <Popover
      label={`${several}: ${rows}`}
      title={label}
      side="bottom"
      wide
      className={styles.prompts}
      trigger={`${several}: ${rows}`}
    >
      <TextArea
        label={label}
        value={morePrompts}
        help="One per line. Each adds a row; duplicates are ignored."
        autoGrow
        rows={4}
        maxRows={12}
        onValueChange={(text) => form.change({ morePrompts: text }, { typing: true })}
      />
    </Popover>
  );
}
