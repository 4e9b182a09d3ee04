/** Finds a source file's imports, and tells which are loaded at run time. */
import { parseSync } from 'vite';

export interface Import {
  specifier: string;
  typeOnly: boolean;
  /** True for `import()`, which loads after the module itself. */
  isLazy: boolean;
}

export function findImports(path: string, source: string): Import[] {
  const { module } = parseSync(path, source);
  const statics = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    typeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
    isLazy: false,
  }));
  const exports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest === null
        ? []
        : [{ specifier: moduleRequest.value, typeOnly: isType, isLazy: false }],
    ),
  );
  const dynamics = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const text = source.slice(start, end);
    const literal = /^['"`]([^'"`$]+)['"`]$/.exec(text)?.[1];
    return literal === undefined ? [] : [{ specifier: literal, typeOnly: false, isLazy: true }];
  });
  return [...statics, ...exports, ...dynamics];
}
