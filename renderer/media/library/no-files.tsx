import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LibraryIcon } from '../../ui/icons/panels.tsx';

interface NoFilesProps {
  /** Undefined if nothing is filtered out. */
  onClearFilters: (() => void) | undefined;
}

/** In place of the grid: nothing is stored yet, or nothing matches. */
export function NoFiles({ onClearFilters }: NoFilesProps) {
  return onClearFilters === undefined ? (
    <EmptyState icon={<LibraryIcon size={20} />} title="No files yet">
      Files you add, recordings and everything models generate appear here.
    </EmptyState>
  ) : (
    <EmptyState
      icon={<LibraryIcon size={20} />}
      title="No matching files"
      action={<Button onClick={onClearFilters}>Clear filters</Button>}
    >
      Try another search or filter.
    </EmptyState>
  );
}
