import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { PageFailure } from '../../lib/page-failure.ts';
import { checkFile, checkMedia, type MediaFilter } from './media-filter.ts';
import { uploadMedia } from './upload-media.ts';

/** A file on its way to main, or one that was refused. */
export interface Upload {
  id: number;
  name: string;
  doneBytes: number;
  totalBytes: number;
  error: AppError | null;
}

export interface Uploads {
  /** Finished ones leave it. */
  uploads: Upload[];
  busy: boolean;
  add(files: Iterable<File>): void;
  stop(id: number): void;
  dismiss(id: number): void;
  retry(id: number): void;
}

export interface UploadsOptions {
  filter: MediaFilter;
  /** One file only: another one replaces whatever is on its way or was refused. */
  single?: boolean;
  onMedia: (media: Media) => void;
}

interface Job {
  file: File;
  controller: AbortController;
}

let lastId = 0;

/** Uploads files one after the other, so that they arrive in the order they were chosen. */
export function useUploads({ filter, onMedia, single = false }: UploadsOptions): Uploads {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const jobs = useRef(new Map<number, Job>());
  const queue = useRef(Promise.resolve());
  const latest = useRef({ filter, onMedia });

  useEffect(() => {
    latest.current = { filter, onMedia };
  });
  useEffect(() => {
    const held = jobs.current;
    return () => {
      for (const { controller } of held.values()) controller.abort();
      held.clear();
    };
  }, []);

  const change = useCallback((id: number, fields: Partial<Upload>) => {
    setUploads((all) =>
      all.map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)),
    );
  }, []);
  const dismiss = useCallback((id: number) => {
    jobs.current.get(id)?.controller.abort();
    jobs.current.delete(id);
    setUploads((all) => all.filter((upload) => upload.id !== id));
  }, []);

  const start = useCallback(
    (id: number, file: File) => {
      const controller = new AbortController();
      const { signal } = controller;
      jobs.current.set(id, { file, controller });
      queue.current = queue.current.then(async () => {
        if (signal.aborted) return;
        try {
          const media = await takeFile(file, latest.current.filter, signal, (doneBytes) =>
            change(id, { doneBytes }),
          );
          if (signal.aborted) return;
          dismiss(id);
          latest.current.onMedia(media);
        } catch (error) {
          if (!signal.aborted) change(id, { error: toAppError(error) });
        }
      });
    },
    [change, dismiss],
  );

  const add = useCallback(
    (files: Iterable<File>) => {
      if (single) {
        for (const { controller } of jobs.current.values()) controller.abort();
        jobs.current.clear();
      }
      // What cannot be tried again was said long enough.
      setUploads((all) => all.filter(({ error }) => !single && error?.kind !== 'file'));
      for (const file of single ? [...files].slice(-1) : files) {
        lastId += 1;
        const upload = { id: lastId, name: file.name, doneBytes: 0, totalBytes: file.size };
        setUploads((all) => [...all, { ...upload, error: null }]);
        start(lastId, file);
      }
    },
    [start, single],
  );
  const retry = useCallback(
    (id: number) => {
      const job = jobs.current.get(id);
      if (job === undefined) return;
      change(id, { error: null, doneBytes: 0 });
      start(id, job.file);
    },
    [change, start],
  );

  const busy = uploads.some(({ error }) => error === null);
  return { uploads, busy, add, stop: dismiss, dismiss, retry };
}

async function takeFile(
  file: File,
  filter: MediaFilter,
  signal: AbortSignal,
  onBytes: (doneBytes: number) => void,
): Promise<Media> {
  const refused = checkFile(file, filter);
  if (refused !== null) throw new PageFailure(refused);
  const media = await uploadMedia(file, {
    signal,
    onProgress: ({ doneBytes }) => onBytes(doneBytes),
  });
  const unfit = checkMedia(media, filter);
  if (unfit === null) return media;
  await api.media.remove({ id: media.id }).catch(() => undefined);
  throw new PageFailure(unfit);
}
