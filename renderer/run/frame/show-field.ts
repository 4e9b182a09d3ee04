/** Brings the user to one field of the parameter sidebar or the pickers, from anywhere. */
import { type RefObject, useEffect } from 'react';
import { create } from 'zustand';

const useWanted = create<{ field: string | null }>(() => ({ field: null }));

/** Opens the sidebar, if the field is in it, and focuses the control inside `data-field={field}`. */
export function showField(field: string): void {
  useWanted.setState({ field });
}

/** For the frame around the sidebar: `open` makes that visible. */
export function useShownField(
  frame: RefObject<HTMLElement | null>,
  isOpen: boolean,
  open: () => void,
): void {
  const field = useWanted((state) => state.field);
  useEffect(() => {
    if (field === null) return;
    const place = frame.current?.querySelector(`[data-field="${CSS.escape(field)}"]`);
    if (!place && !isOpen) {
      open();
      return;
    }
    useWanted.setState({ field: null });
    // What is wrong comes first; what resets a field is before its control.
    const control =
      place?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
      place?.querySelector<HTMLElement>(
        'input:not([type="file"]), select, textarea, [role="switch"]',
      ) ??
      place?.querySelector<HTMLElement>('button');
    control?.scrollIntoView({ block: 'center' });
    control?.focus();
  });
}
