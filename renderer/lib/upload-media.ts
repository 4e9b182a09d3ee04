import type { Media } from '../../shared/media.ts';

export interface UploadOptions {
  /** Shown, and sent as `filename`; a File's own name unless given. */
  name?: string;
  onProgress?: (done: { doneBytes: number; totalBytes: number }) => void;
  signal?: AbortSignal;
}

/** Hands a file to main. Rejects with a `PageFailure`, or with the signal's reason. */
export declare function uploadMedia(file: Blob, options?: UploadOptions): Promise<Media>;

/** A recording that is handed over while it goes on. */
export interface MediaUpload {
  readonly id: string;
  /** Queued and sent in order; rejects once sending is hopeless. */
  write(bytes: ArrayBuffer | Uint8Array): Promise<void>;
  finish(): Promise<Media>;
  abort(): Promise<void>;
}

/** WAV headers need not know the length: main repairs them when it finishes. */
export declare function startMediaUpload(of: { name: string; type: string }): Promise<MediaUpload>;

/** Completes recordings that an earlier page was still handing over when it went away. */
export declare function recoverRecordings(): Promise<Media[]>;
