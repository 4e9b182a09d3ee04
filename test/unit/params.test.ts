import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  getParamState,
  getParamValues,
  getWireNames,
  hasParamState,
  mergeParam,
  mergeParams,
  type Param,
  paramSchema,
} from '../../shared/param.ts';
import { params } from '../fixtures/params.ts';
import { inputs } from '../fixtures/property.ts';

describe('a parameter', () => {
  it.each<[string, Param, Param, Param]>([
    ['a value and its text', { value: 1, text: '01' }, { value: 2 }, { value: 2 }],
    ['a value that a text isn’t', { value: 1 }, { text: '1x' }, { text: '1x' }],
    ['off', { off: true }, { value: 2 }, { value: 2 }],
    ['a value that is off', { value: 1, text: '01' }, { off: true }, { off: true }],
    ['only the name', { value: 1, as: 'one' }, { as: 'two' }, { value: 1, as: 'two' }],
    ['all but the name', { value: 1, as: 'one' }, { text: '' }, { text: '', as: 'one' }],
    ['a name by the default one', { value: 1, as: 'one' }, { as: '' }, { value: 1, as: '' }],
    ['nothing', { value: 1, text: '01', as: 'one' }, {}, { value: 1, text: '01', as: 'one' }],
  ])('replaces %s', (_what, under, over, merged) => {
    expect(mergeParam(under, over)).toEqual(merged);
  });

  it.each([
    ['a value and off', { value: 1, off: true }],
    ['a text and off', { text: '1', off: true }],
    ['off that is false', { off: false }],
    ['no value', { value: undefined, text: 'x', off: true }],
    ['an unknown part', { value: 1, name: 'one' }],
    ['a value that isn’t JSON', { value: Number.NaN }],
  ])('can’t have %s', (_what, param) => {
    expect(paramSchema.safeParse(param).success).toBe(false);
  });
});

describe('parameters', () => {
  it('gives one result for defaults, a panel and a variant, however they are joined', () => {
    fc.assert(
      fc.property(params, params, params, (defaults, panel, variant) => {
        const merged = mergeParams(mergeParams(defaults, panel), variant);
        expect(mergeParams(defaults, mergeParams(panel, variant))).toEqual(merged);
        expect(mergeParams(merged, merged)).toEqual(merged);
        for (const param of Object.values(merged)) expect(paramSchema.parse(param)).toEqual(param);
      }),
      inputs(100),
    );
  });

  it('takes each part from the variant, or else from the panel', () => {
    fc.assert(
      fc.property(params, params, (panel, variant) => {
        for (const [name, merged] of Object.entries(mergeParams(panel, variant))) {
          const [under = {}, over = {}] = [panel[name], variant[name]];
          expect(getParamState(merged)).toEqual(getParamState(hasParamState(over) ? over : under));
          expect(merged.as).toBe(over.as ?? under.as);
        }
      }),
      inputs(100),
    );
  });

  it('sends only values, and only names that differ', () => {
    const all: Record<string, Param> = {
      seed: { value: 7, text: '07', as: ' random_seed ' },
      n: { text: 'two', as: '' },
      stream: { off: true, as: 'stream' },
      stop: { value: null },
      user: { as: ' ' },
    };
    expect(getParamValues(all)).toEqual({ seed: 7, stop: null });
    expect(getWireNames(all)).toEqual({ seed: 'random_seed' });
  });
});
