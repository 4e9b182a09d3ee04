import type { ToolChoice } from '../../../../shared/conversation-options.ts';
import { Select } from '../../../ui/select.tsx';

interface ToolChoicePickerProps {
  choice: ToolChoice | null;
  /** The tools that are on. */
  names: readonly string[];
  problem: string | null;
  onChange: (choice: ToolChoice | null) => void;
}

const WORDS = ['none', 'auto', 'required'] as const;
const BY_NAME = 'function ';

export function ToolChoicePicker({ choice, names, problem, onChange }: ToolChoicePickerProps) {
  const value = choice === null ? '' : typeof choice === 'string' ? choice : BY_NAME + choice.name;
  // A tool that was switched off stays to be seen until another choice is made.
  const named = typeof choice === 'object' && choice !== null ? [choice.name] : [];
  return (
    <Select
      label="Tool choice"
      value={value}
      error={problem}
      options={[
        { value: '', label: 'Not sent' },
        ...WORDS.map((word) => ({ value: word, label: word })),
        ...[...new Set([...names, ...named])].map((name) => ({
          value: BY_NAME + name,
          label: `Only ${name}`,
        })),
      ]}
      onValueChange={(next) => {
        const word = WORDS.find((candidate) => candidate === next);
        if (next === '') onChange(null);
        else onChange(word ?? { name: next.slice(BY_NAME.length) });
      }}
    />
  );
}
