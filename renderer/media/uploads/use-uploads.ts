import { useEffect } from 'react';
import { create } from 'zustand';
import type { AppError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { PageError } from '../../lib/page-failure.ts';
import { checkFile, checkMedia, type MediaFilter } from './media-filter.ts';
import { uploadMedia } from './upload-media.ts';

/** A file that is being uploaded or was rejected. */
export interface Upload {
  id: number;
  /** The place that receives the file. */
  place: string;
  name: string;
  doneBytes: number;
  totalBytes: number;
  error: AppError | null;
}

export interface Uploads {
  /** Lists the place's unfinished and rejected uploads. */
  uploads: readonly Upload[];
  busy: boolean;
  add(files: Iterable<File>): void;
  stop(id: number): void;
  dismiss(id: number): void;
  retry(id: number): void;
}

export interface UploadsOptions {
  /** The form that receives the files, even if another form is visible. */
  place: string;
  filter: MediaFilter;
  /** Allows only a single file, which replaces any other upload. */
  single?: boolean;
  /** Must write to a store, because the component may be unmounted. */
  onMedia: (media: Media, place: string) => void;
}

interface Job {
  file: File;
  place: string;
  controller: AbortController;
}

const useAllUploads = create<{ uploads: readonly Upload[] }>(() => ({ uploads: [] }));
const jobs = new Map<number, Job>();
const takers = new Map<string, Pick<UploadsOptions, 'filter' | 'onMedia'>>();
/** The last upload of each place. */
const queues = new Map<string, Promise<void>>();
let lastId = 0;

/** Uploads files one after another, so that items are added in the chosen order. */
export function useUploads(options: UploadsOptions): Uploads {
  const { place, filter, onMedia, single = false } = options;
  const uploads = useAllUploads((state) => state.uploads).filter(
    (upload) => upload.place === place,
  );
  useEffect(() => {
    takers.set(place, { filter, onMedia });
  });
  return {
    uploads,
    busy: uploads.some(({ error }) => error === null),
    add: (files) => add(place, files, single),
    stop: dismiss,
    dismiss,
    retry,
  };
}

/** Moves uploads to another place that accepts the same files. */
export function moveUploads(from: string, to: string): void {
  for (const job of jobs.values()) if (job.place === from) job.place = to;
  const taker = takers.get(from);
  if (taker !== undefined && !takers.has(to)) takers.set(to, taker);
  update((upload) => (upload.place === from ? { ...upload, place: to } : upload));
}

export function dismissFailedUploads(place: string): void {
  for (const upload of useAllUploads.getState().uploads) {
    if (upload.place === place && upload.error !== null) dismiss(upload.id);
  }
}

function add(place: string, files: Iterable<File>, single: boolean): void {
  const here = useAllUploads.getState().uploads.filter((upload) => upload.place === place);
  for (const { id, error } of here) {
    // Adding a file removes rejected files that can't be retried.
    if (single || error?.kind === 'file') dismiss(id);
  }
  for (const file of single ? [...files].slice(-1) : files) {
    lastId += 1;
    const upload = { id: lastId, place, name: file.name, doneBytes: 0, totalBytes: file.size };
    useAllUploads.setState(({ uploads }) => ({
      uploads: [...uploads, { ...upload, error: null }],
    }));
    start(lastId, place, file);
  }
}

function retry(id: number): void {
  const job = jobs.get(id);
  if (job === undefined) return;
  change(id, { error: null, doneBytes: 0 });
  start(id, job.place, job.file);
}

function dismiss(id: number): void {
  jobs.get(id)?.controller.abort();
  jobs.delete(id);
  useAllUploads.setState(({ uploads }) => ({ uploads: uploads.filter((one) => one.id !== id) }));
}

function start(id: number, place: string, file: File): void {
  const controller = new AbortController();
  const { signal } = controller;
  const job: Job = { file, place, controller };
  jobs.set(id, job);
  const before = queues.get(place) ?? Promise.resolve();
  queues.set(
    place,
    before.then(() => run(id, job, signal)),
  );
}

async function run(id: number, job: Job, signal: AbortSignal): Promise<void> {
  const filter = takers.get(job.place)?.filter;
  if (signal.aborted || filter === undefined) return;
  try {
    const media = await takeFile(job.file, filter, signal, (doneBytes) =>
      change(id, { doneBytes }),
    );
    if (signal.aborted) return;
    dismiss(id);
    takers.get(job.place)?.onMedia(media, job.place);
  } catch (error) {
    if (!signal.aborted) change(id, { error: toAppError(error) });
  }
}

function change(id: number, fields: Partial<Upload>): void {
  update((upload) => (upload.id === id ? { ...upload, ...fields } : upload));
}

function update(next: (upload: Upload) => Upload): void {
  useAllUploads.setState(({ uploads }) => ({ uploads: uploads.map(next) }));
}

async function takeFile(
  file: File,
  filter: MediaFilter,
  signal: AbortSignal,
  onBytes: (doneBytes: number) => void,
): Promise<Media> {
  const refused = checkFile(file, filter);
  if (refused !== null) throw new PageError(refused);
  const media = await uploadMedia(file, {
    signal,
    onProgress: ({ doneBytes }) => onBytes(doneBytes),
  });
  const unfit = checkMedia(media, filter);
  if (unfit === null) return media;
  await api.media.remove({ id: media.id }).catch(() => undefined);
  throw new PageError(unfit);
}
