/** Names the files of a backup, and describes one that can't be used. Threads load this file. */
import { appError, UserFacingError } from '../../shared/errors.ts';

export const MANIFEST_NAME = 'manifest.json';

/** `problem` must be a full sentence. */
export function createBackupError(
  problem: string,
  nextStep = 'Nothing was changed. Choose another backup.',
): UserFacingError {
  return new UserFacingError(appError('invalid-request', problem, nextStep));
}

export const NOT_A_BACKUP = 'The file isn’t a backup of Gatehouse.';
export const CHOOSE_ANOTHER_BACKUP =
  'Nothing was changed. Choose a .tar file that Settings → Data saved.';
export const INCOMPLETE = 'The backup is incomplete.';
