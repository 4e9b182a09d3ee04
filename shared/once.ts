/** Returns a function that creates its value on the first call and then returns that value. */
export function once<Value>(create: () => Value): () => Value {
  let created: Value | undefined;
  return () => (created ??= create());
}
