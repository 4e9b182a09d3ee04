/**
 * How the systems know Gatehouse: AppUserModelID on Windows, `app_id` and WM_CLASS on Linux (`desktopName` in
 * package.json, from which electron-builder names the .desktop file), bundle ID on macOS (`appId`).
 */
export const APP_ID = 'dev.gatehouse.app';
