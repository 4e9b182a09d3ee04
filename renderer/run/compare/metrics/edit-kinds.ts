/** A step is one of these; each but `inserted` takes a symbol of the first, each but `deleted` one of the second. */
export const editKinds = { same: 0, substituted: 1, deleted: 2, inserted: 3 } as const;
