import { useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { PageError } from '../../renderer/lib/page-failure.ts';
import { computeComparison, useWordDiff } from '../../renderer/run/compare/work/use-computed.ts';

afterEach(() => vi.restoreAllMocks());

const never = new AbortController().signal;
/** Texts that take the worker seconds to compare. */
const long = {
  reference: Array.from({ length: 9000 }, (_, at) => `one${at}`).join(' '),
  hypotheses: Array.from({ length: 9 }, (_, copy) =>
    Array.from({ length: 9000 }, (_, at) => `other${copy}${at}`).join(' '),
  ),
  normalization: { ignoreCase: true, ignorePunctuation: true, numbersAsDigits: true },
};
const texts = { first: 'a red fox', second: 'a brown fox' };

describe('a worker', () => {
  test('stops after 30 idle seconds', async () => {
    const terminate = vi.spyOn(Worker.prototype, 'terminate');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await computeComparison('word-diff', texts, never);
    vi.advanceTimersByTime(29_999);
    await computeComparison('word-diff', texts, never);
    vi.advanceTimersByTime(29_999);
    expect(terminate).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(terminate).toHaveBeenCalledOnce();
    vi.useRealTimers();
  });

  test('rejects a job that fails or can’t start, and runs the next one', async () => {
    const Started = Worker;
    vi.stubGlobal(
      'Worker',
      vi.fn(function refuse() {
        throw new Error('no thread');
      }),
    );
    for (let job = 0; job < 3; job += 1) {
      const refused = computeComparison('word-diff', texts, never);
      await expect(refused).rejects.toMatchObject({ error: { detail: 'Error: no thread' } });
    }
    vi.stubGlobal('Worker', Started);
    await expect(computeComparison('word-diff', texts, never)).resolves.toBeDefined();
    // biome-ignore lint/suspicious/noExplicitAny: invalid on purpose
    const broken: any = { ...long, reference: null };
    const failed = computeComparison('error-rates', broken, never);
    await expect(failed).rejects.toThrow(PageError);
    await expect(failed).rejects.toMatchObject({ error: { kind: 'unexpected' } });
    await expect(computeComparison('word-diff', texts, never)).resolves.toBeDefined();
  });

  test('rejects an aborted job at once and starts the next one', async () => {
    const terminate = vi.spyOn(Worker.prototype, 'terminate');
    const abort = new AbortController();
    const left = [1, 2, 3].map(() => computeComparison('error-rates', long, abort.signal));
    const next = computeComparison('word-diff', texts, never);
    abort.abort(new Error('superseded'));
    for (const one of left) await expect(one).rejects.toThrow('superseded');
    await expect(next).resolves.toMatchObject({ addedWords: 1 });
    expect(terminate).toHaveBeenCalled();
  });
});

function Diff() {
  const [second, setSecond] = useState('one two');
  const { output, pending } = useWordDiff('one', second, true);
  return (
    <button type="button" aria-busy={pending} onClick={() => setSecond(`${second} more`)}>
      {output === null ? 'nothing yet' : `${output.addedWords} added`}
    </button>
  );
}

test('keeps the last result while the next one is pending', async () => {
  const screen = await render(<Diff />);
  const button = screen.getByRole('button');
  await expect.element(button).toHaveTextContent('1 added');
  await button.click();
  await button.click();
  await expect.element(button).toHaveTextContent('3 added');
  await expect.element(button).toHaveAttribute('aria-busy', 'false');
});
