/**
 * A Vitest reporter that keeps a list of the tests that are running in the file named by
 * `GATEHOUSE_RUNNING`, so that the tests of a run that hangs are known after it was killed.
 */
import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

const path = process.env.GATEHOUSE_RUNNING;

// biome-ignore lint/style/noDefaultExport: Vitest loads the default export of a reporter.
export default class RunningReporter implements Reporter {
  /** The current test of each running file, or null between its tests. */
  readonly #running = new Map<string, string | null>();

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.#set(relativeModuleId, null);
  }

  onTestCaseReady({ module, fullName }: TestCase): void {
    this.#set(module.relativeModuleId, fullName);
  }

  onTestCaseResult({ module }: TestCase): void {
    this.#set(module.relativeModuleId, null);
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.#running.delete(relativeModuleId);
    this.#write();
  }

  #set(file: string, test: string | null): void {
    this.#running.set(file, test);
    this.#write();
  }

  #write(): void {
    if (path === undefined) return;
    const lines = [...this.#running].map(([file, test]) =>
      test === null ? `${file}\n` : `${file} › ${test}\n`,
    );
    writeFileSync(path, lines.join(''));
  }
}
