/** Takes the place of the router in an old Electron, where the services' process has the real one. */
export function createRouter(): null {
  return null;
}
