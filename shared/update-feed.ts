/**
 * Validates the update feed URL strictly, because its server controls the code that is installed.
 */

const ADDRESS = /^(https?):\/\/([^/?#@]*@)?(\[[\da-f:.]+\]|[^\s/?#@:[\]]+)(?::\d+)?(?:[/?#]\S*)?$/i;

export function findFeedProblem(text: string): string | null {
  const parts = ADDRESS.exec(text);
  if (parts === null) return 'Enter a URL, such as https://updates.example.com/gatehouse.';
  const [, scheme = '', login, host = ''] = parts;
  if (login !== undefined) return 'Remove the user name and password from the URL.';
  if (scheme.toLowerCase() === 'https' || isThisMachine(host.toLowerCase())) return null;
  return 'Use https://. http:// is only allowed for your computer.';
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
