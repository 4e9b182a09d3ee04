import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodeLanguage } from '../../renderer/run/code/code-export.ts';
import {
  writeGoLiteral,
  writeGoRawLiteral,
  writeJavaLiteral,
  writeJavaTextBlock,
  writeLiteral,
  writeShellLiteral,
} from '../../renderer/run/code/literals.ts';
import { type CodeRunner, canRun, startCodeRunner } from '../fixtures/code-runner.ts';
import { inputs } from '../fixtures/property.ts';

const characters =
  'aU07u \n\r\t\b\f\v"\'\\`$%{}@#/*<&é€😀你\u0000\u001b\u007f\u0085\u00a0\u2028\u2029\ufeff';
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...characters),
    fc.constantFrom('"""', '\\u0022', '\\"""', '\ud800'),
  ),
  maxLength: 12,
});
/** Begins with a quote, because a text block strips a line's leading white space. */
const line = text.map((rest) => `"${rest}`);

interface Writer {
  name: string;
  language: CodeLanguage;
  /** Returns a program that prints the text of each literal in base64, one per line. */
  getProgram: (literals: readonly string[]) => string;
  write: (text: string) => string;
}

const getJavaProgram = (literals: readonly string[]) => `import java.nio.charset.StandardCharsets;
import java.util.Base64;

public class Request {
    public static void main(String[] args) {
${literals.map((literal) => `        print(${literal});`).join('\n')}
    }

    private static void print(String text) {
        System.out.println(Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
    }
}
`;

const getGoProgram = (literals: readonly string[]) => `package main

import (
	"encoding/base64"
	"fmt"
)

func main() {
${literals.map((literal) => `\tfmt.Println(base64.StdEncoding.EncodeToString([]byte(${literal})))`).join('\n')}
}
`;

const writers: readonly Writer[] = [
  {
    name: 'shell',
    language: 'curl',
    // A shell argument ends at a NUL.
    write: (value) => writeShellLiteral(value.toWellFormed().replaceAll('\0', '')),
    getProgram: (literals) =>
      literals.map((literal) => `printf '%s' ${literal} | base64 -w 0; echo`).join('\n'),
  },
  {
    name: 'Python',
    language: 'python',
    write: writeLiteral,
    getProgram: (literals) =>
      `import base64\n${literals.map((literal) => `print(base64.b64encode(${literal}.encode()).decode())`).join('\n')}\n`,
  },
  {
    name: 'TypeScript',
    language: 'typescript',
    write: writeLiteral,
    getProgram: (literals) =>
      literals
        .map((literal) => `console.log(Buffer.from(${literal}).toString('base64'));`)
        .join('\n'),
  },
  { name: 'Go', language: 'go', write: writeGoLiteral, getProgram: getGoProgram },
  { name: 'raw Go', language: 'go', write: writeGoRawLiteral, getProgram: getGoProgram },
  { name: 'Java', language: 'java', write: writeJavaLiteral, getProgram: getJavaProgram },
  {
    name: 'Java text block',
    language: 'java',
    write: (value) => writeJavaTextBlock(value.split('#').map(toLine), '            '),
    getProgram: getJavaProgram,
  },
];

const toLine = (part: string) => `"${part}`;

describe.each(writers)('a $name literal', ({ name, language, write, getProgram }) => {
  if (!canRun(language)) {
    it('is skipped because its program or library isn’t installed', ({ skip }) => skip());
    return;
  }
  let runner: CodeRunner;
  beforeAll(() => {
    runner = startCodeRunner(language, {});
  });
  afterAll(() => runner.close());

  it('evaluates to the original text', async () => {
    const texts = fc.sample(name === 'Java text block' ? line : text, inputs(150));
    const output = await runner.run(getProgram(texts.map(write)));
    const expected = texts.map((value) => {
      if (name === 'shell') return value.replaceAll('\0', '');
      return name === 'Java text block' ? value.split('#').map(toLine).join('') : value;
    });
    const printed = output.split('\n').slice(0, -1);
    expect(printed.map((value) => Buffer.from(value, 'base64').toString())).toEqual(
      expected.map((value) => value.toWellFormed()),
    );
  });
});
