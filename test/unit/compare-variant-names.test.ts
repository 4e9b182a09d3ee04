import { describe, expect, it } from 'vitest';
import { cellTitle, getColumns, variantNames } from '../../renderer/run/compare/compare-columns.ts';
import { noNotes } from '../../shared/comparison-notes.ts';
import { variant as makeVariant } from '../fixtures/comparisons.ts';

const variant = (id: string, name: string, differences: string[] = [], model = 'demo-chat') =>
  makeVariant(id, { name, request: { model }, differences });

const named = (...variants: ReturnType<typeof variant>[]) =>
  [...variantNames(variants).values()].map(({ name, title }) => [name, title]);

describe('the variants of a comparison', () => {
  it('uses the variant’s name, or its model and first difference', () => {
    expect(
      named(
        variant('a', ''),
        variant('b', '', ['temperature 0.2', 'seed 1']),
        variant('c', 'Mine', ['seed 2']),
      ),
    ).toEqual([
      ['demo-chat', 'demo-chat'],
      ['demo-chat', 'demo-chat · temperature 0.2'],
      ['Mine', 'Mine'],
    ]);
  });

  it('adds differences until titles are unique', () => {
    expect(
      named(
        variant('a', '', ['voice echo', 'speed 1']),
        variant('b', '', ['voice echo', 'speed 2']),
        variant('c', 'Mine', ['seed 1']),
        variant('d', 'Mine', ['seed 2']),
      ),
    ).toEqual([
      ['demo-chat', 'demo-chat · voice echo · speed 1'],
      ['demo-chat', 'demo-chat · voice echo · speed 2'],
      ['Mine', 'Mine · seed 1'],
      ['Mine', 'Mine · seed 2'],
    ]);
  });

  it('numbers equal variants', () => {
    expect(
      named(
        variant('a', ''),
        variant('b', ''),
        variant('c', '', ['seed 1']),
        variant('d', '', ['seed 1']),
        variant('e', '', [], 'demo-echo'),
      ),
    ).toEqual([
      ['demo-chat (1)', 'demo-chat (1)'],
      ['demo-chat (2)', 'demo-chat (2)'],
      ['demo-chat (1)', 'demo-chat (1) · seed 1'],
      ['demo-chat (2)', 'demo-chat (2) · seed 1'],
      ['demo-echo', 'demo-echo'],
    ]);
  });

  it('names cells, by a letter while names are hidden', () => {
    const variants = [variant('a', '', ['seed 1']), variant('b', '', ['seed 1'])];
    const titles = (notes: typeof noNotes) =>
      getColumns({ variants }, notes).map((column) => cellTitle({ label: 'Repeat 2' }, column));
    expect(titles(noNotes)).toEqual([
      'demo-chat (1) · seed 1, Repeat 2',
      'demo-chat (2) · seed 1, Repeat 2',
    ]);
    const blind = { isHidden: true, order: ['b', 'a'], picks: {} };
    expect(titles({ ...noNotes, blind })).toEqual(['A, Repeat 2', 'B, Repeat 2']);
  });
});
