/** `Recording 2026-11-21 14.03.12.wav`: local time, and no sign that a file name may not have. */
export function recordingName(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = `${two(at.getHours())}.${two(at.getMinutes())}.${two(at.getSeconds())}`;
  return `Recording ${day} ${time}.wav`;
}
