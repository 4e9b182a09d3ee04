import type { Ref } from 'react';
import type { MediaKind, MediaSort } from '../../../shared/media.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LibraryIcon } from '../../ui/icons/panels.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './media-grid.module.css';
import type { LibraryFilter } from './use-library.ts';

const any = 'all';

const kindLabels: Record<MediaKind, string> = {
  image: 'Images',
  video: 'Videos',
  audio: 'Audio',
  file: 'Files',
};

const allKinds: readonly MediaKind[] = ['image', 'video', 'audio', 'file'];

const roles = [
  { value: any, label: 'All sources' },
  { value: 'output', label: 'Runs' },
  { value: 'upload', label: 'Uploads' },
  { value: 'recording', label: 'Recordings' },
] as const;

const sorts: { value: MediaSort; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'largest', label: 'Largest first' },
  { value: 'kind', label: 'By kind' },
];

interface LibraryFiltersProps {
  filter: LibraryFilter;
  /** If empty, all kinds are allowed. */
  kinds?: readonly MediaKind[];
  onChange: (filter: LibraryFilter) => void;
  searchRef?: Ref<HTMLInputElement>;
}

export function LibraryFilters(props: LibraryFiltersProps) {
  const { filter, kinds = [], onChange, searchRef } = props;
  const offered = kinds.length === 0 ? allKinds : kinds;
  return (
    <search className={styles.filters}>
      <TextField
        ref={searchRef}
        label="Search library"
        hideLabel
        type="search"
        className={styles.search}
        value={filter.text}
        onValueChange={(text) => onChange({ ...filter, text })}
        placeholder="Search names and prompts"
        maxLength={200}
      />
      {offered.length > 1 && (
        <Segmented
          label="Kind"
          value={filter.kind ?? any}
          options={[
            ...(kinds.length === 0 ? [{ value: any, label: 'All' }] : []),
            ...offered.map((kind) => ({ value: kind, label: kindLabels[kind] })),
          ]}
          onValueChange={(value) =>
            onChange({ ...filter, kind: offered.find((kind) => kind === value) ?? null })
          }
        />
      )}
      <Select
        label="Source"
        hideLabel
        value={filter.role ?? any}
        options={roles}
        onValueChange={(value) => onChange({ ...filter, role: value === any ? null : value })}
      />
      <Select
        label="Sort"
        hideLabel
        value={filter.sort}
        options={sorts}
        onValueChange={(sort) => onChange({ ...filter, sort })}
      />
    </search>
  );
}

interface NoFilesProps {
  /** Undefined if no filter is set. */
  onClearFilters: (() => void) | undefined;
}

export function NoFiles({ onClearFilters }: NoFilesProps) {
  return onClearFilters === undefined ? (
    <EmptyState icon={<LibraryIcon size={20} />} title="No files yet">
      Your uploads, recordings and generated files appear here.
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
