/** Declares the part of cross-spawn that Gatehouse uses, because it ships no types. */
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
