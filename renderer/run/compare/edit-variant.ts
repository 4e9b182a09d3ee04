/** Opens the editor of a variant from elsewhere, such as from an error in its cell. */
import { useEffect } from 'react';
import { create } from 'zustand';

interface VariantEditors {
  /** Variants whose cards are shown. */
  shown: readonly string[];
  /** The one that is to be edited. */
  wanted: string | null;
}

const useEditors = create<VariantEditors>(() => ({ shown: [], wanted: null }));

export function editVariant(id: string): void {
  useEditors.setState({ wanted: id });
}

export function useIsEditable(id: string): boolean {
  return useEditors(({ shown }) => shown.includes(id));
}

/** For the card of a variant: `open` shows its editor. */
export function useVariantEditor(id: string, open: () => void): void {
  const isWanted = useEditors(({ wanted }) => wanted === id);
  useEffect(() => {
    useEditors.setState(({ shown }) => ({ shown: [...shown, id] }));
    return () =>
      useEditors.setState(({ shown }) => ({ shown: shown.toSpliced(shown.indexOf(id), 1) }));
  }, [id]);
  useEffect(() => {
    if (!isWanted) return;
    useEditors.setState({ wanted: null });
    open();
  });
}
