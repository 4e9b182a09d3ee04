/** Declares the part of cross-spawn that is used, because it has no types of its own. */
declare module 'cross-spawn' {
  import type {
    ChildProcessWithoutNullStreams,
    SpawnOptionsWithoutStdio,
  } from 'node:child_process';

  function spawn(
    command: string,
    args: readonly string[],
    options: SpawnOptionsWithoutStdio,
  ): ChildProcessWithoutNullStreams;

  export = spawn;
}
