import { Fragment, type Ref } from 'react';
import { CheckIcon } from './icons/status.tsx';
import list from './list-box.module.css';

export interface Suggestion {
  value: string;
  detail?: string | undefined;
  /** Heading above the first suggestion of the group. */
  group?: string | undefined;
}

export interface SuggestionListProps {
  ref: Ref<HTMLDivElement>;
  /** Options are `${id}-0`, `${id}-1` … for `aria-activedescendant`. */
  id: string;
  label: string;
  suggestions: readonly Suggestion[];
  chosen: string;
  active: number;
  note?: string | undefined;
  onActivate: (index: number) => void;
  onChoose: (suggestion: Suggestion) => void;
}

/** The list under a combobox. The focus stays in the field, which also has the keyboard. */
export function SuggestionList({
  ref,
  id,
  label,
  suggestions,
  chosen,
  active,
  note,
  onActivate,
  onChoose,
}: SuggestionListProps) {
  return (
    <div
      ref={ref}
      id={id}
      role="listbox"
      tabIndex={-1}
      aria-label={label}
      popover="manual"
      className={list.popup}
      onMouseDown={(event) => event.preventDefault()}
    >
      {suggestions.map((suggestion, index) => (
        <Fragment key={suggestion.value}>
          {suggestion.group !== undefined && suggestion.group !== suggestions[index - 1]?.group && (
            <div className={list.group} role="presentation">
              {suggestion.group}
            </div>
          )}
          <div
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={suggestion.value === chosen}
            data-active={index === active}
            className={list.option}
            onMouseMove={() => onActivate(index)}
            onMouseUp={() => onChoose(suggestion)}
          >
            <span className={list.optionText}>{suggestion.value}</span>
            {suggestion.detail !== undefined && (
              <span className={list.detail}>{suggestion.detail}</span>
            )}
            {suggestion.value === chosen && <CheckIcon size={12} />}
          </div>
        </Fragment>
      ))}
      {note !== undefined && <p className={list.note}>{note}</p>}
    </div>
  );
}
