import { describe, expect, it } from 'vitest';
import {
  getCellTitle,
  getColumns,
  listTags,
  listVariantNames,
} from '../../renderer/run/compare/compare-columns.ts';
import { noNotes } from '../../shared/comparison-notes.ts';
import { variant as makeVariant } from '../fixtures/comparisons.ts';

type Given = [name: string, ...differences: string[]];

const variant = (id: string, name: string, differences: string[]) =>
  makeVariant(id, { name, request: { model: 'demo-chat' }, differences });

const named = (...given: Given[]) => {
  const variants = given.map(([name, ...more], at) => variant(`${at}`, name, more));
  return [...listVariantNames(variants).values()].map(({ name, title }) => `${name}: ${title}`);
};

describe('the variants of a comparison', () => {
  it('uses the variant’s name, or its model and first difference', () => {
    const names = named([''], ['', 'temperature 0.2', 'seed 1'], ['Mine', 'seed 2']);
    const different = 'demo-chat: demo-chat · temperature 0.2';
    expect(names).toEqual(['demo-chat: demo-chat', different, 'Mine: Mine']);
  });

  it('adds differences until titles are unique', () => {
    const echo = (speed: string): Given => ['', 'voice echo', speed];
    const names = named(echo('speed 1'), echo('speed 2'), ['Mine', 'seed 1'], ['Mine', 'seed 2']);
    expect(names).toEqual([
      'demo-chat: demo-chat · voice echo · speed 1',
      'demo-chat: demo-chat · voice echo · speed 2',
      ...['Mine: Mine · seed 1', 'Mine: Mine · seed 2'],
    ]);
  });

  it('numbers equal variants', () => {
    expect(named([''], [''], ['', 'seed 1'], ['', 'seed 1'])).toEqual([
      ...['demo-chat (1): demo-chat (1)', 'demo-chat (2): demo-chat (2)'],
      'demo-chat (1): demo-chat (1) · seed 1',
      'demo-chat (2): demo-chat (2) · seed 1',
    ]);
  });

  it('shows the model of a variant that has another name', () => {
    const tags = ['', 'demo-chat', 'demo-cited'].map((name) =>
      listTags(variant('a', name, ['seed 1'])),
    );
    expect(tags).toEqual([['seed 1'], ['seed 1'], ['demo-chat', 'seed 1']]);
  });

  it('names cells, or uses a letter while names are hidden', () => {
    const variants = [variant('a', '', ['seed 1']), variant('b', '', ['seed 1'])];
    const titles = (notes: typeof noNotes) =>
      getColumns({ variants }, notes).map((column) => getCellTitle({ label: 'Repeat 2' }, column));
    expect(titles(noNotes)).toEqual([
      'demo-chat (1) · seed 1, Repeat 2',
      'demo-chat (2) · seed 1, Repeat 2',
    ]);
    const blind = { isHidden: true, order: ['b', 'a'], picks: {} };
    expect(titles({ ...noNotes, blind })).toEqual(['A, Repeat 2', 'B, Repeat 2']);
  });
});
