/**
 * Adds the newer APIs that Gatehouse uses to Chromium 114 and Node.js 18, which Electron 25 has.
 * TypeScript assumes that they exist, so nothing here may be called before it is defined.
 */
function define(target: object, name: string, value: unknown): void {
  if (name in target) return;
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
}

define(Promise, 'withResolvers', () => {
  let resolve: unknown;
  let reject: unknown;
  const promise = new Promise((one, other) => {
    resolve = one;
    reject = other;
  });
  return { promise, resolve, reject };
});
define(
  Promise,
  'try',
  (work: (...given: unknown[]) => unknown, ...given: unknown[]) =>
    new Promise((resolve) => resolve(work(...given))),
);
define(
  Object,
  'groupBy',
  (items: Iterable<unknown>, getKey: (item: unknown, at: number) => string) => {
    const groups: Record<string, unknown[]> = Object.create(null);
    let at = 0;
    for (const item of items) {
      const key = getKey(item, at++);
      groups[key] = [...(groups[key] ?? []), item];
    }
    return groups;
  },
);
define(
  Map,
  'groupBy',
  (items: Iterable<unknown>, getKey: (item: unknown, at: number) => unknown) => {
    const groups = new Map<unknown, unknown[]>();
    let at = 0;
    for (const item of items) {
      const key = getKey(item, at++);
      groups.set(key, [...(groups.get(key) ?? []), item]);
    }
    return groups;
  },
);
define(Array, 'fromAsync', async (items: AsyncIterable<unknown>) => {
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
});
define(URL, 'parse', (text: string, base?: string) => {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
});
define(URL, 'canParse', (text: string, base?: string) => URL.parse(text, base) !== null);
define(AbortSignal, 'any', (signals: AbortSignal[]) => {
  const either = new AbortController();
  for (const signal of signals) {
    const stop = () => either.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  }
  return either.signal;
});
define(RegExp, 'escape', (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'));

const methods: Record<string, (this: unknown[], ...given: never[]) => unknown> = {
  toReversed() {
    return [...this].reverse();
  },
  toSorted(compare: (one: unknown, other: unknown) => number) {
    return [...this].sort(compare);
  },
  toSpliced(...given: [number, number, ...unknown[]]) {
    const copy = [...this];
    copy.splice(...given);
    return copy;
  },
  with(index: number, value: unknown) {
    const copy = [...this];
    copy[index < 0 ? copy.length + index : index] = value;
    return copy;
  },
};
for (const [name, method] of Object.entries(methods)) define(Array.prototype, name, method);

type AnySet = Set<unknown>;
const setMethods: Record<string, (this: AnySet, other: AnySet) => unknown> = {
  union(other) {
    return new Set([...this, ...other.keys()]);
  },
  intersection(other) {
    return new Set([...this].filter((item) => other.has(item)));
  },
  difference(other) {
    return new Set([...this].filter((item) => !other.has(item)));
  },
  isSubsetOf(other) {
    return [...this].every((item) => other.has(item));
  },
  isSupersetOf(other) {
    return [...other.keys()].every((item) => this.has(item));
  },
  isDisjointFrom(other) {
    return ![...this].some((item) => other.has(item));
  },
};
for (const [name, method] of Object.entries(setMethods)) define(Set.prototype, name, method);

/** Array methods, which read the whole iterator first, are enough for the finite ones of the page. */
const iteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
for (const name of ['map', 'filter', 'flatMap'] as const) {
  define(iteratorPrototype, name, function (this: Iterable<unknown>, work: never) {
    return Reflect.apply(Array.prototype[name], [...this], [work])[Symbol.iterator]();
  });
}
for (const name of ['some', 'every', 'find', 'forEach', 'reduce'] as const) {
  define(iteratorPrototype, name, function (this: Iterable<unknown>, ...given: never[]) {
    return Reflect.apply(Array.prototype[name], [...this], given);
  });
}
define(iteratorPrototype, 'toArray', function (this: Iterable<unknown>) {
  return [...this];
});
define(iteratorPrototype, 'take', function* (this: Iterable<unknown>, limit: number) {
  let left = limit;
  if (left <= 0) return;
  for (const item of this) {
    yield item;
    left -= 1;
    if (left <= 0) return;
  }
});
define(iteratorPrototype, 'drop', function* (this: Iterable<unknown>, count: number) {
  let left = count;
  for (const item of this) {
    if (left <= 0) yield item;
    else left -= 1;
  }
});

define(Uint8Array.prototype, 'toBase64', function (this: Uint8Array) {
  let text = '';
  for (const byte of this) text += String.fromCharCode(byte);
  return btoa(text);
});
define(Uint8Array, 'fromBase64', (text: string) =>
  Uint8Array.from(atob(text), (char) => char.charCodeAt(0)),
);
define(Uint8Array.prototype, 'toHex', function (this: Uint8Array) {
  return Array.from(this, (byte) => byte.toString(16).padStart(2, '0')).join('');
});

/** Showing a popover that is shown, or hiding a hidden one, threw an error before Chromium 119. */
if (typeof HTMLElement !== 'undefined') {
  const { showPopover, hidePopover } = HTMLElement.prototype;
  HTMLElement.prototype.showPopover = function () {
    if (!this.matches(':popover-open')) showPopover.call(this);
  };
  HTMLElement.prototype.hidePopover = function () {
    if (this.matches(':popover-open')) hidePopover.call(this);
  };
}
