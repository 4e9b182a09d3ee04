/** Replaces the router in an old Electron; the services' process has the real one. */
export function createRouter(): null {
  return null;
}
