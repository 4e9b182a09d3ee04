import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../shared/parse-json.ts';
import { fillToolTemplate } from '../../shared/tool-template.ts';
import { inputs, jsonValue } from '../fixtures/property.ts';

const args = {
  city: 'Saint-\u201cÉtienne\u201d "42"\n',
  days: 3,
  'first name': 'Ada',
  none: null,
  list: [{ id: 7 }, 'b'],
};

describe('a canned result', () => {
  it.each([
    ['text in a JSON string', '{"in":"{{city}}"}', '{"in":"Saint-“Étienne” \\"42\\"\\n"}'],
    ['JSON outside of a string', '{"n":{{days}},"l":{{ list }}}', '{"n":3,"l":[{"id":7},"b"]}'],
    ['a number in a string', '{"n":"{{days}} days"}', '{"n":"3 days"}'],
    ['a list in a string', '["{{list}}"]', '["[{\\"id\\":7},\\"b\\"]"]'],
    ['a path', '[{{list.0.id}},"{{list.1}}",{{list.0}}]', '[7,"b",{"id":7}]'],
    ['a name with a space', '"Hello {{first name}}"', '"Hello Ada"'],
    ['nothing for what is missing', '[{{x}},"{{x}}",{{none}},"{{none}}"]', '[null,"",null,""]'],
    ['nothing for a path too far', '[{{city.x}},{{list.2.id}},{{days.0}}]', '[null,null,null]'],
    ['nothing for an inherited name', '[{{constructor}},{{list.length}}]', '[null,null]'],
    ['text into text', 'In {{city}}: {{days}}{{x}} {{list.0}}', `In ${args.city}: 3 {"id":7}`],
    ['text into broken JSON', '{"in": {{city}', '{"in": {{city}'],
    ['an argument with a place only once', '"{{loop}}"', '"{{days}}"'],
    ['an escaped quote before a place', '"\\"{{days}}\\""', '"\\"3\\""'],
    ['only places', '{"a":{"b":{}},"c":"{{}} { {days} }"}', '{"a":{"b":{}},"c":"{{}} { {days} }"}'],
    ['no pattern of replacements', '"{{dollar}}"', '"$& $1"'],
  ])('inserts %s', (_, template, result) => {
    const more = { ...args, loop: '{{days}}', dollar: '$& $1' };
    expect(fillToolTemplate(template, more)).toBe(result);
  });

  it('keeps every digit of a number', () => {
    const exact = parseJson('{"id":12345678901234567890}');
    expect(fillToolTemplate('{"id":{{id}},"text":"{{id}}"}', exact ?? null)).toBe(
      '{"id":12345678901234567890,"text":"12345678901234567890"}',
    );
  });

  it('stays valid JSON with any argument', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const template = '{"json":{{a}},"list":[{{ a }}, "x"],"text":"<{{a}}>","{{a}}":1}';
        const filled = parseJson(fillToolTemplate(template, { a: value }));
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        const inserted = value === null ? '' : text;
        expect(filled).toMatchObject({ json: value, list: [value, 'x'], text: `<${inserted}>` });
        expect(filled).toHaveProperty([inserted], expect.anything());
      }),
      inputs(300),
    );
  });

  it('stays unchanged without placeholders, however long it is', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const template = JSON.stringify(value).replaceAll('{{', '');
        expect(fillToolTemplate(template, args)).toBe(template);
      }),
      inputs(300),
    );
    for (const part of ['{{ ', '"', '\\"', '{{a', ' ']) {
      const long = part.repeat(300_000);
      expect(fillToolTemplate(long, args)).toBe(long);
      const json = JSON.stringify(long);
      expect(fillToolTemplate(json, args)).toBe(json);
    }
  });

  it('rejects a result over the limit, and writes a repeated argument once', () => {
    let reads = 0;
    const counted = {
      get long() {
        reads += 1;
        return 'x'.repeat(100);
      },
    };
    const filled = fillToolTemplate('{{long}}'.repeat(10), counted, 1080);
    expect(filled).toHaveLength(1000);
    expect(reads).toBe(1);
    for (const template of ['{{long}}', '"{{long}}"', '[{{long}}]']) {
      expect(() => fillToolTemplate(template.repeat(11), counted, 1080)).toThrow('over the limit');
    }
  });
});
