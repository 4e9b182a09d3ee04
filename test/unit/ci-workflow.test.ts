/** Checks the parts of the workflow that don't require running CI. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import manifest from '../../package.json' with { type: 'json' };

const root = dirname(dirname(import.meta.dirname));
const source = readFileSync(join(root, '.github', 'workflows', 'ci.yml'), 'utf8');

const stepSchema = z.union([
  z.strictObject({
    uses: z.string(),
    name: z.string().optional(),
    if: z.string().optional(),
    with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  }),
  z.strictObject({
    run: z.string(),
    name: z.string().optional(),
    if: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
    'continue-on-error': z.boolean().optional(),
  }),
]);
const jobSchema = z.strictObject({
  name: z.string(),
  'runs-on': z.string(),
  'timeout-minutes': z.number().max(120),
  strategy: z
    .strictObject({
      'fail-fast': z.boolean(),
      matrix: z.strictObject({
        include: z.array(z.record(z.string(), z.union([z.string(), z.boolean()]))),
      }),
    })
    .optional(),
  steps: z.array(stepSchema).min(1),
});
const workflowSchema = z.strictObject({
  name: z.string(),
  on: z.strictObject({
    push: z.strictObject({ branches: z.array(z.string()) }),
    pull_request: z.null(),
    workflow_dispatch: z.null(),
  }),
  permissions: z.strictObject({ contents: z.literal('read') }),
  concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.boolean() }),
  defaults: z.strictObject({ run: z.strictObject({ shell: z.literal('bash') }) }),
  jobs: z.record(z.string(), jobSchema),
});

const document = parseDocument(source, { strict: true, uniqueKeys: true });
const workflow = () => workflowSchema.parse(document.toJS());
const steps = () => Object.values(workflow().jobs).flatMap((job) => job.steps);
const commands = () => steps().flatMap((step) => ('run' in step ? [step.run] : []));

test('parses as YAML in the shape that GitHub reads', () => {
  expect([...document.errors, ...document.warnings]).toEqual([]);
  expect(() => workflow()).not.toThrow();
});

test('pins each action to a commit, with its version beside it', () => {
  const uses = [...source.matchAll(/uses: (.*)/g)].map(([, action]) => action);
  expect(uses.length).toBeGreaterThan(5);
  for (const action of uses)
    expect(action).toMatch(/^actions\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
});

test('defines every matrix value that it uses, for every system', () => {
  const used = new Set([...source.matchAll(/matrix\.(\w+)/g)].map(([, name = '']) => name));
  const { strategy } = workflow().jobs.hosts ?? {};
  const systems = strategy?.matrix.include ?? [];
  expect(systems.map(({ id }) => id)).toEqual(['linux-x11', 'linux-wayland', 'macos', 'windows']);
  for (const system of systems) expect(new Set(Object.keys(system))).toEqual(used);
});

test('runs only scripts and files that exist', () => {
  const text = commands().join('\n');
  for (const [, name = ''] of text.matchAll(/npm run ([\w:]+)/g)) {
    expect(manifest.scripts).toHaveProperty([name]);
  }
  for (const [, path = ''] of text.matchAll(/^\s*node (\S+\.[jt]s)/gm)) {
    expect(existsSync(join(root, path)), path).toBe(true);
  }
});

test.runIf(process.platform !== 'win32')('contains only commands that bash parses', () => {
  for (const command of commands()) {
    expect(command).not.toContain('${{');
    expect(() => execFileSync('bash', ['-n'], { input: command, stdio: 'pipe' })).not.toThrow();
  }
});

describe('on every system', () => {
  test.each([
    'npm ci',
    'npm start -- --browser --self-check',
    'npm start -- --desktop --self-check',
    'npx playwright test --project=browser',
    'npx playwright test --project=desktop',
    'npm run package',
  ])('runs %s', (command) => {
    const run = workflow().jobs.hosts?.steps.flatMap((step) => ('run' in step ? [step.run] : []));
    expect(run).toContain(command);
  });

  test('uploads the packages from a hidden folder', () => {
    const kept = steps().flatMap((step) =>
      'uses' in step && step.uses.startsWith('actions/upload-artifact@') ? [step.with ?? {}] : [],
    );
    expect(kept.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^packages-/));
    for (const inputs of kept) expect(inputs['include-hidden-files']).toBe(true);
  });
});
