/** Names the database files and the journal folder in the data folder. Threads load this file. */

export const LEDGER_NAME = 'ledger.sqlite';
/** The database's companions, which are only present while it is open or after a crash. */
export const LEDGER_COMPANIONS = ['-wal', '-shm'];
export const JOURNAL_FOLDER = 'journal';
