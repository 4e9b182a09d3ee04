import { describe, expect, it } from 'vitest';
import { findSubjectProblem } from '../scripts/commit-subjects.ts';

describe('findSubjectProblem', () => {
  it.each([
    'fix(shutdown): warn if the disk is full',
    'perf(runs): query counts instead of full run lists',
    'docs: pass the address to every page',
    'Merge pull request #1 from fork/main',
  ])('accepts %j', (subject) => {
    expect(findSubjectProblem(subject)).toBeNull();
  });

  it.each([
    ['correct the gallery', /one type/],
    ['fix(hosts): warn early; docs: say so', /one change/],
    [`fix: ${'long '.repeat(15)}`, /72 characters/],
    ['fix: what a review found', /imperative/],
    ['fix(recorder): stopped recordings leave no error', /imperative/],
  ])('rejects %j', (subject, problem) => {
    expect(findSubjectProblem(subject)).toMatch(problem);
  });
});
