/** Counts which components render, like React's developer tools. Import it before the renderer. */

interface Fiber {
  type: unknown;
  flags: number;
  alternate: Fiber | null;
  child: Fiber | null;
  sibling: Fiber | null;
}

const PERFORMED_WORK = 1;
let onCommit: ((root: { current: Fiber }) => void) | null = null;

Object.defineProperty(globalThis, '__REACT_DEVTOOLS_GLOBAL_HOOK__', {
  configurable: true,
  value: {
    renderers: new Map(),
    supportsFiber: true,
    isDisabled: false,
    inject: () => 1,
    onCommitFiberRoot: (_id: number, root: { current: Fiber }) => onCommit?.(root),
    onCommitFiberUnmount: () => undefined,
    onPostCommitFiberRoot: () => undefined,
    onScheduleFiberRoot: () => undefined,
    checkDCE: () => undefined,
  },
});

/** Counts renders by component name until `stop` is called. */
export function watchRenders(): { stop: () => Map<string, number> } {
  const counts = new Map<string, number>();
  onCommit = ({ current }) => count(current, current.alternate, counts);
  return {
    stop() {
      onCommit = null;
      return counts;
    },
  };
}

function count(fiber: Fiber, before: Fiber | null, counts: Map<string, number>): void {
  const name = nameOf(fiber.type);
  if (name !== null && (fiber.flags & PERFORMED_WORK) !== 0) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  // React skips children that are the same object as before.
  if (before !== null && fiber.child === before.child) return;
  for (let child = fiber.child; child !== null; child = child.sibling) {
    // React reuses children that it didn't render.
    if (before !== null && isChildOf(child, before)) continue;
    count(child, child.alternate, counts);
  }
}

function isChildOf(fiber: Fiber, parent: Fiber): boolean {
  for (let child = parent.child; child !== null; child = child.sibling) {
    if (child === fiber) return true;
  }
  return false;
}

function nameOf(type: unknown): string | null {
  if (typeof type === 'function') return type.name;
  if (typeof type !== 'object' || type === null) return null;
  if ('type' in type) return nameOf(type.type);
  return 'render' in type ? nameOf(type.render) : null;
}
