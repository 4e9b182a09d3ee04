/** The environment for programs that have no business with the gateway's key. */
export function withoutKey(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { GATEHOUSE_API_KEY: _, ...rest } = environment;
  return rest;
}
