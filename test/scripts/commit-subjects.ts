/** Checks the subjects of new commits: `node test/scripts/commit-subjects.ts main..HEAD`. */
import { execFileSync } from 'node:child_process';

const MAX_LENGTH = 72;
const FORM = /^(?:feat|fix|refactor|perf|test|docs|style|build|ci|chore)(?:\([a-z0-9,-]+\))?: \S/;
/** Matches a past tense, third person or noun phrase in place of an imperative verb. */
const NOT_IMPERATIVE = /: (?:what|where|the|a|an|it|this|\w+(?:ed|ing|s))(?<!ss) /;

/** Returns the problem with a subject, or null if it follows CONTRIBUTING.md. */
export function findSubjectProblem(subject: string): string | null {
  if (/^Merge /.test(subject)) return null;
  if (!FORM.test(subject)) return 'start with one type, such as fix(chat):';
  if (subject.includes(';')) return 'describe one change';
  if (subject.length > MAX_LENGTH) return `use at most ${MAX_LENGTH} characters`;
  if (NOT_IMPERATIVE.test(subject)) return 'start with an imperative verb, such as show or reject';
  return null;
}

if (process.argv[1] === import.meta.filename) {
  const range = process.argv[2];
  if (range === undefined) throw new Error('Give a range of commits, such as main..HEAD.');
  const subjects = execFileSync('git', ['log', '--format=%s', range], { encoding: 'utf8' });
  for (const subject of subjects.split('\n').filter((line) => line !== '')) {
    const problem = findSubjectProblem(subject);
    if (problem === null) continue;
    console.error(`${subject}\n  ${problem}`);
    process.exitCode = 1;
  }
}
