/** The modules that a TypeScript source names, told apart by whether they exist at run time. */
export interface Import {
  specifier: string;
  typeOnly: boolean;
}

// The middle excludes quotes, brackets and `=`, so that a match never spans statements.
const STATIC =
  /^[ \t]*(?:import|export)\s+(type\s+)?(?:[\w$\s{},*]*?\sfrom\s+)?['"]([^'"\n]+)['"]/gm;
const DYNAMIC = /(typeof\s+)?\bimport\(\s*['"]([^'"\n]+)['"]/g;

/** `import { type A } from 'x'` counts as run time: with verbatimModuleSyntax 'x' is still loaded. */
export function findImports(source: string): Import[] {
  return [...source.matchAll(STATIC), ...source.matchAll(DYNAMIC)].map(
    ([, typeWord, specifier = '']) => ({ specifier, typeOnly: typeWord !== undefined }),
  );
}
